import type { Layer, Model } from './types';

// Where the boxes and lines of a layer graph go: layers below what they read from, siblings beside each other.

export interface Box {
  layer: Layer;
  x: number;
  y: number;
}

export interface Drawing {
  width: number;
  height: number;
  boxes: Box[];
  lines: string[];
  // Whether it is known what reads from what.
  flow: boolean;
}

export const box_width = 232;
export const box_height = 44;
const gap_x = 28;
const gap_y = 22;
const margin = 10;

export function draw(model: Model): Drawing {
  const layers = model.layers;
  const at = new Map(layers.map((layer, index) => [layer.name, index]));
  // Layers of a sequential model follow each other. Of other models without inputs only the order in the text is
  // known: they stand below each other, and no line claims more.
  const stacked = layers.every((layer) => layer.inputs.length === 0);
  const flow = !stacked || layers.length < 2 || /sequential$/i.test(model.name);
  const inputs = layers.map((layer, index) => {
    if (stacked) return index > 0 ? [index - 1] : [];
    return layer.inputs
      .map((input) => (typeof input === 'number' ? input : at.get(input)))
      .filter((input): input is number => input !== undefined && input < index);
  });

  const ranks: number[] = [];
  for (const from of inputs) {
    ranks.push(from.length ? Math.max(...from.map((one) => ranks[one]!)) + 1 : 0);
  }
  const rows: number[][] = [];
  for (const [index, rank] of ranks.entries()) {
    rows[rank] ??= [];
    rows[rank].push(index);
  }
  // Within a row, boxes stand in the order of what they read from, so that few lines cross.
  const place: number[] = [];
  for (const row of rows) {
    const centre = (index: number) => {
      const from = inputs[index]!;
      return from.length ? from.reduce((sum, one) => sum + place[one]!, 0) / from.length : 0;
    };
    row.sort((a, b) => centre(a) - centre(b) || a - b);
    for (const [order, index] of row.entries()) {
      place[index] = order - (row.length - 1) / 2;
    }
  }

  const widest = Math.max(1, ...rows.map((row) => row.length));
  const inner = widest * box_width + (widest - 1) * gap_x;
  const x = (index: number) => margin + inner / 2 + place[index]! * (box_width + gap_x) - box_width / 2;
  const y = (index: number) => margin + ranks[index]! * (box_height + gap_y);

  const lines: string[] = [];
  let detours = 0;
  (flow ? inputs : []).forEach((from, index) => {
    for (const one of from) {
      const x1 = x(one) + box_width / 2;
      const y1 = y(one) + box_height;
      const x2 = x(index) + box_width / 2;
      const y2 = y(index);
      const blocked = layers.some(
        (_, other) => ranks[other]! > ranks[one]! && ranks[other]! < ranks[index]! && Math.abs(x(other) - x(one)) < box_width,
      );
      if (blocked) {
        // Around the boxes between them, on the right; each such line a little further out.
        const out = margin + inner + 12 + (detours++ % 6) * 8;
        lines.push(`M${x1 + 40} ${y1} C${x1 + 40} ${y1 + 16} ${out} ${y1} ${out} ${y1 + 24} L${out} ${y2 - 24} C${out} ${y2} ${x2 + 40} ${y2 - 16} ${x2 + 40} ${y2}`);
      } else {
        const bend = Math.max(12, (y2 - y1) / 2);
        lines.push(`M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`);
      }
    }
  });

  const right = detours > 0 ? 16 + Math.min(detours, 6) * 8 : 0;
  return {
    width: inner + 2 * margin + right,
    height: rows.length * (box_height + gap_y) - gap_y + 2 * margin,
    boxes: layers.map((layer, index) => ({ layer, x: x(index), y: y(index) })),
    lines,
    flow,
  };
}
