/**
 * Checks a page in the real window as a person without a mouse, with a screen reader or with weak sight would meet it: names, roles,
 * sizes of targets, contrast of the colours that are really drawn. Each complaint names what is wrong and where.
 */
import type { Page } from 'playwright-core';

/** Everything found on the page as it stands. Empty = nothing serious. */
export async function auditPage(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const complaints = new Set<string>();
    const INTERACTIVE =
      'button, a[href], input, select, textarea, summary, [role="button"], [role="menuitem"], [role="tab"], [role="checkbox"], [role="radio"], [role="switch"], [role="slider"], [role="separator"][tabindex], [tabindex]:not([tabindex="-1"])';
    // A modal dialog hides the page behind it from everyone; then only the dialog counts.
    const root: Document | Element = document.querySelector('[role="dialog"]:not(.popover)') ?? document;

    const visible = (element: Element): boolean => {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) return false;
      if (box.bottom < 0 || box.right < 0 || box.top > innerHeight || box.left > innerWidth) return false;
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const label = (element: Element): string => {
      const name = element.getAttribute('class') ?? '';
      const text = (element.textContent ?? '').trim().slice(0, 30);
      return `${element.tagName.toLowerCase()}${name === '' ? '' : `.${name.trim().split(/\s+/)[0]}`}${text === '' ? '' : ` “${text}”`}`;
    };
    const nameOf = (element: Element): string => {
      const byId = (element.getAttribute('aria-labelledby') ?? '')
        .split(/\s+/)
        .map((id) => (id === '' ? '' : (document.getElementById(id)?.textContent ?? '')))
        .join(' ');
      const labels =
        element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null;
      const texts = [
        byId,
        element.getAttribute('aria-label'),
        labels ? [...labels].map((item) => item.textContent).join(' ') : '',
        element.textContent,
        element.querySelector('[aria-label]')?.getAttribute('aria-label'),
        element.getAttribute('title'),
      ];
      return texts.find((text) => text !== null && text !== undefined && text.trim() !== '')?.trim() ?? '';
    };

    // Names and roles.
    for (const element of root.querySelectorAll(INTERACTIVE)) {
      if (!visible(element)) continue;
      if (nameOf(element) === '') complaints.add(`no name: ${label(element)}`);
      if (element.closest('[aria-hidden="true"]') && (element as HTMLElement).tabIndex >= 0)
        complaints.add(`hidden from readers but in the tab order: ${label(element)}`);
      if (Number(element.getAttribute('tabindex') ?? 0) > 0) complaints.add(`its own tab order: ${label(element)}`);
    }
    for (const element of document.querySelectorAll(
      '[role="grid"], [role="listbox"], [role="img"], [role="application"], [role="dialog"]',
    ))
      if (visible(element) && nameOf(element) === '')
        complaints.add(`no name: ${element.getAttribute('role')} ${label(element)}`);
    for (const option of document.querySelectorAll('[role="option"]'))
      if (!option.closest('[role="listbox"]')) complaints.add(`option outside of a list: ${label(option)}`);
    for (const row of document.querySelectorAll('[role="row"]'))
      if (!row.closest('[role="grid"], [role="table"], [role="treegrid"]'))
        complaints.add(`row outside of a grid: ${label(row)}`);
    const mains = [...document.querySelectorAll('main')].filter(visible);
    if (mains.length !== 1) complaints.add(`${mains.length} main regions`);
    const ids = new Set<string>();
    for (const { id } of document.querySelectorAll('[id]')) {
      if (id !== '' && ids.has(id)) complaints.add(`id twice: ${id}`);
      ids.add(id);
    }
    for (const element of document.querySelectorAll('[aria-controls], [aria-activedescendant], [aria-labelledby]'))
      for (const name of ['aria-controls', 'aria-activedescendant', 'aria-labelledby']) {
        const id = element.getAttribute(name);
        if (id && name !== 'aria-controls' && !document.getElementById(id))
          complaints.add(`${name} leads nowhere: ${label(element)}`);
      }

    // Targets of 24 px, or room around the smaller ones. Words inside a sentence are exempt.
    const targets = [...root.querySelectorAll(INTERACTIVE)]
      .filter((element) => visible(element) && !element.closest('[aria-hidden="true"]'))
      .map((element) => ({ element, box: element.getBoundingClientRect() }));
    const inSentence = (element: Element): boolean => {
      const style = getComputedStyle(element);
      const parent = element.parentElement;
      return (
        style.display.startsWith('inline') &&
        parent !== null &&
        (parent.textContent ?? '').trim() !== (element.textContent ?? '').trim()
      );
    };
    for (const { element, box } of targets) {
      if ((box.width >= 23.5 && box.height >= 23.5) || inSentence(element)) continue;
      if (element instanceof HTMLInputElement && element.closest('label')) continue;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const crowded = targets.some(({ element: other, box: near }) => {
        if (other === element || other.contains(element) || element.contains(other)) return false;
        const dx = Math.max(near.left - x, 0, x - near.right);
        const dy = Math.max(near.top - y, 0, y - near.bottom);
        return Math.hypot(dx, dy) < 12;
      });
      if (crowded) complaints.add(`small target ${Math.round(box.width)}×${Math.round(box.height)}: ${label(element)}`);
    }

    // Contrast of what is drawn.
    type Rgba = readonly [number, number, number, number];
    const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const cache = new Map<string, Rgba>();
    const parse = (color: string): Rgba => {
      const known = cache.get(color);
      if (known) return known;
      const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(color);
      let value: Rgba = [0, 0, 0, 0];
      if (match) value = [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4] ?? 1)];
      else if (paint) {
        paint.clearRect(0, 0, 1, 1);
        paint.fillStyle = color;
        paint.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0, a = 0] = paint.getImageData(0, 0, 1, 1).data;
        value = [r, g, b, a / 255];
      }
      cache.set(color, value);
      return value;
    };
    const over = (top: Rgba, below: Rgba): Rgba => {
      const a = top[3];
      return [top[0] * a + below[0] * (1 - a), top[1] * a + below[1] * (1 - a), top[2] * a + below[2] * (1 - a), 1];
    };
    /** Null where a picture is below. */
    const ground = (element: Element): Rgba | null => {
      const layers: Rgba[] = [];
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.backgroundImage !== 'none') return null;
        const color = parse(style.backgroundColor);
        if (color[3] > 0) layers.push(color);
        if (color[3] === 1) break;
      }
      return layers.reduceRight<Rgba>((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const luminance = ([r, g, b]: Rgba): number => {
      const [x, y, z] = [r, g, b].map((value) => {
        const c = value / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * (x ?? 0) + 0.7152 * (y ?? 0) + 0.0722 * (z ?? 0);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || (node.textContent ?? '').trim() === '' || !visible(element) || !root.contains(element)) continue;
      if (element.closest('[aria-disabled="true"], [disabled], .sr-only, svg')) continue;
      const style = getComputedStyle(element);
      const below = ground(element);
      if (below === null) continue;
      let opacity = 1;
      for (let at: Element | null = element; at !== null; at = at.parentElement)
        opacity *= Number(getComputedStyle(at).opacity);
      const color = parse(style.color);
      const shown = over([color[0], color[1], color[2], color[3] * opacity], below);
      const [a, b] = [luminance(shown), luminance(below)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5) - 0.05) complaints.add(`contrast ${ratio.toFixed(1)}: ${label(element)}`);
    }
    return [...complaints].sort();
  });
}

/** What is cut off although nothing scrolls there and no ellipsis says so. */
export async function auditOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const complaints = new Set<string>();
    if (document.documentElement.scrollWidth > innerWidth) complaints.add('the page is wider than the window');
    for (const element of document.querySelectorAll('body *')) {
      if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const cutX =
        element.scrollWidth > element.clientWidth + 2 &&
        style.overflowX === 'hidden' &&
        style.textOverflow !== 'ellipsis';
      const cutY =
        element.scrollHeight > element.clientHeight + 4 && style.overflowY === 'hidden' && element.clientHeight > 0;
      if (style.clipPath !== 'none') continue;
      if (!(cutX || cutY) || element.matches('.sr-only, .middle-cut, .middle-cut *, .cut, canvas')) continue;
      if (element.querySelector(':scope > .sr-only') && !cutX) continue;
      const direct = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      if (direct)
        complaints.add(
          `cut off: ${element.tagName.toLowerCase()}.${element.className.split(' ')[0]} “${(element.textContent ?? '').slice(0, 30)}”`,
        );
    }
    return [...complaints].sort();
  });
}

/** Tabs through the page: everything that takes the focus must show it, and the way must lead back to where it began. */
export async function auditFocus(page: Page, steps = 120): Promise<string[]> {
  const complaints = new Set<string>();
  const seen = new Set<string>();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const ring = (at: Element | null | undefined): boolean => {
        if (!at) return false;
        const css = getComputedStyle(at);
        return css.outlineStyle !== 'none' && Number.parseFloat(css.outlineWidth) >= 2;
      };
      // A field draws the ring on its frame, a grid on its current row.
      const around = [element, element.parentElement, element.parentElement?.parentElement];
      const grid = element.matches(
        '[role="grid"], [role="treegrid"], [role="listbox"], [role="application"], [role="table"]',
      );
      const box = element.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const top = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : element;
      element.setAttribute('data-audit', element.getAttribute('data-audit') ?? Math.random().toString(36));
      const name = element.getAttribute('aria-label') ?? (element.textContent ?? '').trim().slice(0, 30);
      return {
        id: element.getAttribute('data-audit') ?? '',
        label: `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').split(' ')[0]} “${name}”`,
        shown:
          around.some(ring) ||
          (grid && [...element.querySelectorAll('*')].some(ring)) ||
          element.matches('[role="separator"]'),
        covered:
          top !== null &&
          !element.contains(top) &&
          !top.contains(element) &&
          !element.closest('label')?.contains(top) &&
          box.width > 0,
      };
    });
    if (at === null || seen.has(at.id)) break;
    seen.add(at.id);
    if (!at.shown) complaints.add(`no focus ring: ${at.label}`);
    if (at.covered) complaints.add(`covered while focused: ${at.label}`);
  }
  if (seen.size < 8) complaints.add(`the keyboard is trapped after ${seen.size} stops`);
  return [...complaints].sort();
}
