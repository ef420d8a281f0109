import { describe, expect, test } from 'vitest';
import { importsOf } from '../../../build/checks/imports.ts';
import { LAYERS, PACKAGES } from '../../../build/checks/layer-table.ts';
import { checkLayers, checkPackageClasses, layerOf } from '../../../build/checks/layers.ts';

const check = (path: string, text: string): readonly string[] => checkLayers([{ path, text }]);

describe('imports that the table refuses', () => {
  test.each([
    [
      'shared reads a file',
      'shared/lib/a.ts',
      "import { readFileSync } from 'node:fs';",
      'shared/lib may not import node:fs',
    ],
    ['Node under its old name', 'shared/model/a.ts', "import fs from 'fs';", 'shared/model may not import fs'],
    [
      'a type is an import too',
      'shared/lib/a.ts',
      "import type { RelNs } from '../model/time.ts';",
      'shared/lib may not import shared/model',
    ],
    [
      'import type in place',
      'shared/lib/a.ts',
      "type T = import('../model/time.ts').RelNs;",
      'shared/lib may not import shared/model',
    ],
    [
      'dynamic import',
      'shared/codecs/a.ts',
      "const m = await import('../formats/index.ts');",
      'shared/codecs may not import shared/formats',
    ],
    [
      're-export',
      'shared/text/a.ts',
      "export * from '../report/schema.ts';",
      'shared/text may not import shared/report',
    ],
    ['require', 'shared/lib/a.ts', "const fs = require('fs');", 'shared/lib may not import fs'],
    ['one rule uses another', 'shared/analysis/rules/a.ts', "import b from './b.ts';", 'may not import one another'],
    [
      'a rule uses an algorithm',
      'shared/analysis/rules/a.ts',
      "import { x } from '../clocks/x.ts';",
      'shared/analysis/rules may not import shared/analysis',
    ],
    [
      'the window reaches the engine',
      'renderer/views/a.tsx',
      "import { x } from '#engine/store/x.ts';",
      'renderer/views may not import electron/engine/store',
    ],
    [
      'main reaches the engine',
      'electron/main/a.ts',
      "import { x } from '#engine/engine.ts';",
      'electron/main may not import electron/engine',
    ],
    [
      'the engine knows Electron',
      'electron/engine/a.ts',
      "import { app } from 'electron';",
      'package electron belongs to electron/main and electron/preload',
    ],
    [
      'SQLite outside the store',
      'electron/engine/import/a.ts',
      "import Database from 'better-sqlite3';",
      'package better-sqlite3 belongs to electron/engine/store',
    ],
    [
      'uPlot outside the charts',
      'renderer/views/a.tsx',
      "import uPlot from 'uplot';",
      'package uplot belongs to renderer/charts',
    ],
    [
      'React in pure code',
      'renderer/viewmodels/a.ts',
      "import { useState } from 'react';",
      'renderer/viewmodels may not import package react (dom)',
    ],
    [
      'test code in the product',
      'shared/lib/a.ts',
      "import { x } from '../../test/support/x.ts';",
      'leaves shared/ by a relative path',
    ],
    [
      'another root by a relative path',
      'electron/engine/a.ts',
      "import { x } from '../../shared/lib/result.ts';",
      'leaves electron/ by a relative path',
    ],
    ['an unknown package', 'shared/formats/a.ts', "import x from 'left-pad';", 'package left-pad is not classified'],
    [
      'a target nobody can see',
      'electron/engine/a.ts',
      'const m = await import(name);',
      'imports something computed at run time',
    ],
    ['a place outside the table', 'tools/a.ts', '', 'stands in no layer'],
  ])('%s', (_name, path, text, complaint) => {
    const complaints = check(path, text);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(complaint);
  });
});

describe('imports that the table allows', () => {
  test.each([
    ['shared/model/a.ts', "import { ok } from '../lib/result.ts';"],
    ['shared/formats/log/a.ts', "import { lines } from '../../codecs/lines/index.ts';"],
    ['shared/codecs/yaml/a.ts', "import { load } from 'js-yaml';"],
    ['shared/analysis/rules/index.ts', "import a from './a.ts';"],
    ['shared/analysis/rules/a.ts', "import { pod } from './support/pods.ts';"],
    ['electron/engine/store/a.ts', "import Database from 'better-sqlite3';\nimport { join } from 'node:path';"],
    ['electron/cli/a.ts', "import { createEngine } from '#engine/engine.ts';\nimport { Command } from 'commander';"],
    ['electron/preload/a.ts', "import { ipcRenderer } from 'electron';"],
    [
      'renderer/main.tsx',
      "import '@fontsource-variable/inter/opsz.css';\nimport { App } from './views/shell/app.tsx';",
    ],
    ['renderer/charts/a.ts', "import uPlot from 'uplot';"],
    ['test/unit/x.test.ts', "import Database from 'better-sqlite3';\nimport { x } from '../../shared/lib/result.ts';"],
  ])('%s', (path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});

test('a complaint names the line of the import', () => {
  expect(check('shared/lib/a.ts', "// first\n\nimport 'node:os';\n")).toEqual([
    'shared/lib/a.ts:3: shared/lib may not import node:os',
  ]);
});

test('every way of importing is seen, in source order', () => {
  const text = [
    "import type { A } from 'a';",
    "export { b } from 'b';",
    "import c = require('c');",
    "type D = import('d').D;",
    "const e = async () => import('e');",
    "const f = require('f');",
    'const text = "import x from \'not-an-import\'";',
  ].join('\n');
  expect(importsOf('x.ts', text).map(({ specifier, line }) => `${line} ${specifier}`)).toEqual([
    '1 a',
    '2 b',
    '3 c',
    '4 d',
    '5 e',
    '6 f',
  ]);
});

test('a file that does not parse is an error, not an empty list', () => {
  expect(() => importsOf('x.ts', 'import {')).toThrow('x.ts does not parse');
});

test('the longest path decides the layer', () => {
  expect(layerOf('shared/analysis/rules/a.ts')?.path).toBe('shared/analysis/rules');
  expect(layerOf('shared/analysis/clocks/a.ts')?.path).toBe('shared/analysis');
  expect(layerOf('shared/analysisx/a.ts')).toBeUndefined();
});

test('packages and their classes cover each other', () => {
  const all = Object.keys(PACKAGES);
  expect(checkPackageClasses(all)).toEqual([]);
  expect(checkPackageClasses([...all, 'left-pad'])).toEqual(['package left-pad is not classified in layer-table.ts']);
  expect(checkPackageClasses(all.filter((name) => name !== 'zod'))).toEqual([
    'package zod is classified in layer-table.ts but not in package.json',
  ]);
});

test('the core of the table: shared stays pure', () => {
  const shared = LAYERS.filter(({ path }) => path.startsWith('shared/'));
  expect(shared.length).toBeGreaterThan(5);
  for (const { path, may } of shared) {
    expect(
      may.filter((entry) => entry !== 'pure' && !entry.startsWith('shared/')),
      path,
    ).toEqual([]);
  }
});
