import './button.css';
import type { ComponentProps, ReactNode } from 'react';

export type ButtonKind = 'primary' | 'outlined' | 'danger' | 'plain' | 'link';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind: ButtonKind;
  readonly keys?: string | undefined;
}

/** A verb with its object. At most one `primary` a screen. */
export function Button({ kind, keys, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={className ? `button ${className}` : 'button'} data-kind={kind} {...rest}>
      {children}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name; say it in a tooltip as well where the icon alone is not plain. */
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={className ? `icon-button ${className}` : 'icon-button'}
      {...rest}
    >
      {children}
    </button>
  );
}

export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className="kbd">{keys}</kbd>;
}
