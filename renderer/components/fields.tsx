import './search-field.css';
import { ChevronDown, Search } from 'lucide-react';
import { type ComponentProps, type Ref, useEffect, useRef } from 'react';
import { Menu, MenuChoice } from './layers.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

export function SearchField({ label, value, onChange, inputRef }: SearchFieldProps) {
  return (
    <div className="search-field">
      <Search className="icon-14" strokeWidth={1.75} aria-hidden="true" />
      <input
        className="bare-input"
        ref={inputRef}
        type="text"
        aria-label={label}
        placeholder={label}
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.stopPropagation();
          onChange('');
        }}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

/** `status all ⌄`: a filter or an order, with its present value. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const present = options.find((option) => option.value === value)?.label ?? value;
  return (
    <Menu
      trigger={
        <button type="button" className="choice">
          {label} <span className="choice-value">{present}</span>
          <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice value={value} options={options} onChoose={onChoose} />
    </Menu>
  );
}

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly why?: string | undefined }[];
  readonly onChoose: (value: T) => void;
}

/** Two or three ways to see the same thing. An option with `why` cannot be chosen and says so. */
export function Segmented<T extends string>({ label, value, options, onChoose }: SegmentedProps<T>) {
  const move = (by: number) => {
    const open = options.filter((option) => option.why === undefined);
    const at = open.findIndex((option) => option.value === value);
    const next = open[(at + by + open.length) % open.length];
    if (next) onChoose(next.value);
  };
  const onKeyDown: ComponentProps<'div'>['onKeyDown'] = (event) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    event.stopPropagation();
    move(event.key === 'ArrowRight' ? 1 : -1);
  };
  return (
    <div className="segmented" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          aria-disabled={option.why !== undefined}
          title={option.why}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => option.why === undefined && onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter?: () => void;
  readonly placeholder?: string;
  /** Why the text cannot be used; empty = it can. */
  readonly problem?: string;
  readonly autoFocus?: boolean;
}

/** One line with its label above it; Enter accepts. */
export function TextField({ label, value, onChange, onEnter, placeholder, problem = '', autoFocus }: TextFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.select();
  }, [autoFocus]);
  return (
    <label className="text-field">
      {label}
      <input
        ref={field}
        type="text"
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        aria-invalid={problem !== ''}
        title={problem === '' ? undefined : problem}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return;
          event.preventDefault();
          onEnter();
        }}
      />
    </label>
  );
}
