/** Draws a long list as a narrow band: where in it errors and warnings are, and which part of it is in view. */

export interface SetMapScene {
  /** Equal parts of the list from its top. */
  readonly errors: Uint32Array;
  readonly warnings: Uint32Array;
  readonly total: number;
  readonly first: number;
  readonly visible: number;
  readonly cursor: number | null;
}

export function paintSetMap(canvas: HTMLCanvasElement, scene: SetMapScene): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width < 1 || height < 1) return;
  const ratio = window.devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(canvas);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const parts = scene.errors.length;
  const yOf = (share: number) => Math.round(share * height);
  for (let i = 0; i < parts; i += 1) {
    const [errors, warnings] = [scene.errors[i] ?? 0, scene.warnings[i] ?? 0];
    if (errors + warnings === 0) continue;
    context.fillStyle = token(errors > 0 ? '--sev-error' : '--sev-warn');
    context.fillRect(4, yOf(i / parts), width - 8, 2);
  }
  if (scene.total <= 0) return;
  const top = yOf(scene.first / scene.total);
  const tall = Math.max(8, yOf(Math.min(1, scene.visible / scene.total)));
  context.fillStyle = token('--text-3');
  context.globalAlpha = 0.18;
  context.fillRect(0, top, width, tall);
  context.globalAlpha = 1;
  context.strokeStyle = token('--line-control');
  context.strokeRect(0.5, Math.min(top, height - tall) + 0.5, width - 1, tall - 1);
  if (scene.cursor !== null) {
    context.fillStyle = token('--selection-line');
    context.fillRect(0, yOf(scene.cursor / scene.total), width, 2);
  }
}
