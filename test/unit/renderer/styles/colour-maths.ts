/**
 * Contrast after WCAG 2.2; colour distance CIEDE2000 (Sharma, Wu, Dalal 2005) in CIELAB under D65, after simulating
 * protanopia, deuteranopia and tritanopia (Machado, Oliveira, Fernandes 2009, severity 1.0, in linear RGB).
 */
type Triple = readonly [number, number, number];

const IDENTITY = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
const SIMULATION = {
  normal: IDENTITY,
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;
export type Vision = keyof typeof SIMULATION;
export const VISIONS: readonly Vision[] = ['normal', 'protan', 'deutan', 'tritan'];

/** `#rrggbb` → linear RGB, 0..1. */
function linear(hex: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const dot = (row: Triple, v: Triple): number => row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
const clamp = (value: number): number => Math.min(1, Math.max(0, value));

/** 1 to 21. */
export function contrast(a: string, b: string): number {
  const luminance = (hex: string) => dot([0.2126, 0.7152, 0.0722], linear(hex));
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function lab(hex: string, vision: Vision): Triple {
  const rgb = linear(hex);
  const [r, g, b] = SIMULATION[vision];
  const seen: Triple = [clamp(dot(r, rgb)), clamp(dot(g, rgb)), clamp(dot(b, rgb))];
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f(dot([0.4124564, 0.3575761, 0.1804375], seen) / 0.95047);
  const y = f(dot([0.2126729, 0.7151522, 0.072175], seen));
  const z = f(dot([0.0193339, 0.119192, 0.9503041], seen) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const rad = (degrees: number): number => (degrees * Math.PI) / 180;

export function distance(first: string, second: string, vision: Vision): number {
  const [l1, a1, b1] = lab(first, vision);
  const [l2, a2, b2] = lab(second, vision);
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)));
  const [x1, x2] = [(1 + g) * a1, (1 + g) * a2];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hue = (b: number, a: number) => (a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360);
  const [h1, h2] = [hue(b1, x1), hue(b2, x2)];
  const dh = c1 * c2 === 0 ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const dHue = 2 * Math.sqrt(c1 * c2) * Math.sin(rad(dh / 2));
  const meanL = (l1 + l2) / 2;
  const meanC = (c1 + c2) / 2;
  const sum = h1 + h2;
  const meanHue =
    c1 * c2 === 0 ? sum : Math.abs(h1 - h2) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  const t =
    1 -
    0.17 * Math.cos(rad(meanHue - 30)) +
    0.24 * Math.cos(rad(2 * meanHue)) +
    0.32 * Math.cos(rad(3 * meanHue + 6)) -
    0.2 * Math.cos(rad(4 * meanHue - 63));
  const sl = 1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2);
  const sc = 1 + 0.045 * meanC;
  const sh = 1 + 0.015 * meanC * t;
  const rotation =
    -2 * Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)) * Math.sin(rad(60 * Math.exp(-(((meanHue - 275) / 25) ** 2))));
  const [dl, dc, dH] = [(l2 - l1) / sl, (c2 - c1) / sc, dHue / sh];
  return Math.sqrt(dl ** 2 + dc ** 2 + dH ** 2 + rotation * dc * dH);
}
