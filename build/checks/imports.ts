/** Finds what a source file imports, in every way TypeScript has. */
import { parseSync } from 'vite';

export interface Import {
  /** As written; null for an import whose target is computed at run time. */
  readonly specifier: string | null;
  /** 1-based. */
  readonly line: number;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Nodes that name a module, and the field that holds the name. */
const NAMING_FIELD: Readonly<Record<string, string>> = {
  ImportDeclaration: 'source',
  ExportNamedDeclaration: 'source',
  ExportAllDeclaration: 'source',
  ImportExpression: 'source',
  TSImportType: 'source',
  TSExternalModuleReference: 'expression',
};

/** `require('x')` and `vi.mock('x')`-like calls are not imports of the product; only a plain `require` counts. */
function requiredBy(node: Node): unknown {
  const { callee } = node;
  if (node['type'] !== 'CallExpression' || !isNode(callee) || callee['name'] !== 'require') return undefined;
  return Array.isArray(node['arguments']) ? node['arguments'][0] : undefined;
}

function namedModule(node: Node): unknown {
  const field = NAMING_FIELD[String(node['type'])];
  return field === undefined ? requiredBy(node) : node[field];
}

function* children(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value;
    else if (Array.isArray(value)) yield* value.filter(isNode);
  }
}

/**
 * All imports of one file, in source order: static, type-only, re-exports, `import()`, `import('x').T`, `import x = require()`
 * and `require()`. Throws when the text does not parse.
 */
export function importsOf(path: string, text: string): readonly Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const found: (Import & { readonly start: number })[] = [];
  const stack: Node[] = [program as unknown as Node];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const name = namedModule(node);
    if (isNode(name)) {
      const start = Number(name['start']);
      const specifier = name['type'] === 'Literal' && typeof name['value'] === 'string' ? name['value'] : null;
      found.push({ specifier, line: text.slice(0, start).split('\n').length, start });
    }
    stack.push(...children(node));
  }
  return found.sort((a, b) => a.start - b.start).map(({ specifier, line }) => ({ specifier, line }));
}
