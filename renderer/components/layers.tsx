/**
 * Tooltip, menu and dialog over headless primitives. The scrim is ours and menus are not modal: the primitives' own scroll
 * lock would put a style element into the page, which the content policy forbids (and the page never scrolls).
 */
import './layers.css';
import { Dialog as DialogParts, DropdownMenu, Popover as PopoverParts, Tooltip as TooltipParts } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { Kbd } from './button.tsx';

export const TooltipRoot = ({ children }: { readonly children: ReactNode }) => (
  <TooltipParts.Provider delayDuration={400} skipDelayDuration={200}>
    {children}
  </TooltipParts.Provider>
);

interface TooltipProps {
  readonly text: string;
  /** Held back, e.g. while a form hangs on the same button. */
  readonly held?: boolean;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that takes a ref and handlers. */
  readonly children: ReactNode;
}

export function Tooltip({ text, held = false, side = 'bottom', children }: TooltipProps) {
  const [shown, setShown] = useState(false);
  return (
    <TooltipParts.Root open={shown && !held} onOpenChange={setShown}>
      <TooltipParts.Trigger asChild>{children}</TooltipParts.Trigger>
      <TooltipParts.Portal>
        <TooltipParts.Content className="tooltip" side={side} sideOffset={6} collisionPadding={8}>
          {text}
        </TooltipParts.Content>
      </TooltipParts.Portal>
    </TooltipParts.Root>
  );
}

interface MenuProps {
  readonly trigger: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly children: ReactNode;
}

export function Menu({ trigger, align = 'start', children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8} loop>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface PopoverProps {
  readonly label: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly trigger: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly children: ReactNode;
}

/** A small form that hangs on its button. */
export function Popover({ label, open, onOpen, trigger, align = 'start', children }: PopoverProps) {
  return (
    <PopoverParts.Root open={open} onOpenChange={onOpen}>
      <PopoverParts.Trigger asChild>{trigger}</PopoverParts.Trigger>
      <PopoverParts.Portal>
        <PopoverParts.Content className="popover" aria-label={label} align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </PopoverParts.Content>
      </PopoverParts.Portal>
    </PopoverParts.Root>
  );
}

interface MenuItemProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly keys?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly onSelect: () => void;
}

export function MenuItem({ label, note, keys, disabled = false, onSelect }: MenuItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" disabled={disabled} onSelect={onSelect}>
      <span className="menu-item-label cut">{label}</span>
      {note !== undefined && <span className="menu-item-note">{note}</span>}
      {keys !== undefined && <Kbd keys={keys} />}
    </DropdownMenu.Item>
  );
}

interface MenuChoiceProps {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
}

/** One of several, the present one marked. */
export function MenuChoice({ value, options, onChoose }: MenuChoiceProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} className="menu-item" value={option.value}>
          <span className="menu-mark">
            <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
          </span>
          <span className="menu-item-label">{option.label}</span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

interface MenuCheckProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** One of several that can be on together; the menu stays open. */
export function MenuCheck({ label, note, checked, onChange }: MenuCheckProps) {
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item"
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="menu-mark" aria-hidden="true">
        <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
      </span>
      <span className="menu-item-label cut">{label}</span>
      {note !== undefined && <span className="menu-item-note">{note}</span>}
    </DropdownMenu.CheckboxItem>
  );
}

export const MenuLabel = ({ text }: { readonly text: string }) => (
  <DropdownMenu.Label className="menu-label">{text}</DropdownMenu.Label>
);
export const MenuLine = () => <DropdownMenu.Separator className="menu-line" />;

/** Gives the focus back to what had it when the dialog opened, if that is still there. */
function useFocusReturn(): (event: Event) => void {
  const before = useRef(document.activeElement);
  return (event) => {
    event.preventDefault();
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  };
}

interface DialogProps {
  readonly title: string;
  /** Read out after the title; also shown unless `descriptionHidden`. */
  readonly description: string;
  readonly descriptionHidden?: boolean;
  readonly width?: 'normal' | 'wide';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({
  title,
  description,
  descriptionHidden = false,
  width = 'normal',
  onClose,
  children,
}: DialogProps) {
  const returnFocus = useFocusReturn();
  return (
    <DialogParts.Root open onOpenChange={(open) => !open && onClose()}>
      <DialogParts.Portal>
        <div className="scrim" />
        <DialogParts.Content className="dialog" data-width={width} onCloseAutoFocus={returnFocus}>
          <DialogParts.Title className="dialog-title">{title}</DialogParts.Title>
          <DialogParts.Description className={descriptionHidden ? 'sr-only' : 'dialog-text'}>
            {description}
          </DialogParts.Description>
          {children}
        </DialogParts.Content>
      </DialogParts.Portal>
    </DialogParts.Root>
  );
}

/** The same scrim and focus rules with a frame of one's own: the palette. */
export function BareDialog({
  title,
  className,
  onClose,
  children,
}: {
  readonly title: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const returnFocus = useFocusReturn();
  return (
    <DialogParts.Root open onOpenChange={(open) => !open && onClose()}>
      <DialogParts.Portal>
        <div className="scrim" />
        <DialogParts.Content className={className} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <DialogParts.Title className="sr-only">{title}</DialogParts.Title>
          {children}
        </DialogParts.Content>
      </DialogParts.Portal>
    </DialogParts.Root>
  );
}
