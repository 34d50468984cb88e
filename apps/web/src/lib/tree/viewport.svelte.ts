import { select } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from 'd3-zoom';

import type { MapRect } from './visible.ts';

export const SMALLEST = 0.08;
const LARGEST = 2;
/** Screen pixels kept free around what is shown. */
const MARGIN = 36;

export interface MapSize {
  /** Screen pixels kept left of the shown path. */
  left: number;
  width: number;
  height: number;
}

/** Which part of the map is seen: zoom and pan by wheel, drag, buttons and keys, through d3-zoom. */
export class Viewport {
  transform = $state.raw<ZoomTransform>(zoomIdentity);
  /** Size of the drawing on the screen; 0 before it is measured. */
  width = $state.raw(0);
  height = $state.raw(0);
  #element: SVGSVGElement | null = null;
  readonly #size: () => MapSize;
  readonly #placeFirst: () => void;

  readonly #zoom = zoom<SVGSVGElement, unknown>()
    .scaleExtent([SMALLEST, LARGEST])
    .constrain((transform) => this.#constrain(transform))
    .on('zoom', (event: D3ZoomEvent<SVGSVGElement, unknown>) => (this.transform = event.transform));

  /** The part in view, in map pixels. */
  readonly rect: MapRect = $derived.by(() => {
    const { x, y, k } = this.transform;
    return { left: -x / k, top: -y / k, right: (this.width - x) / k, bottom: (this.height - y) / k };
  });

  /** How much of the map is in view, 0 … 1. */
  readonly share: number = $derived.by(() => {
    const { width, height } = this.#size();
    const { left, top, right, bottom } = this.rect;
    const within = (from: number, to: number, size: number): number =>
      Math.max(0, Math.min(to, size) - Math.max(from, 0)) / Math.max(size, 1);
    return within(left, right, width) * within(top, bottom, height);
  });

  /** `size` is the whole map; `placeFirst` is called once the drawing has a size. */
  constructor(size: () => MapSize, placeFirst: () => void) {
    this.#size = size;
    this.#placeFirst = placeFirst;
  }

  /** Attachment for the `<svg>`. */
  attach = (element: SVGSVGElement): (() => void) => {
    this.#element = element;
    const selection = select(element).call(this.#zoom).on('dblclick.zoom', null);
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const first = this.width === 0;
      this.width = entry.contentRect.width;
      this.height = entry.contentRect.height;
      if (first && this.width > 0) this.#placeFirst();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      selection.on('.zoom', null);
      this.#element = null;
      this.width = 0;
    };
  };

  zoomBy(factor: number): void {
    if (this.#element) this.#zoom.scaleBy(select(this.#element), factor);
  }

  panBy(x: number, y: number): void {
    if (this.#element) this.#zoom.translateBy(select(this.#element), x / this.transform.k, y / this.transform.k);
  }

  /** The whole map, as far as it stays legible as a shape; what is too long begins at the top. */
  fit(): void {
    const { left, width, height } = this.#size();
    const across = (this.width - left - MARGIN) / Math.max(width, 1);
    const down = (this.height - 2 * MARGIN) / Math.max(height, 1);
    this.#set(left, MARGIN, Math.min(1, Math.max(SMALLEST, Math.min(across, down))));
  }

  /** Natural size, the height `y` at a share of the screen's height; a map that fits stands at the top. */
  place(y: number, share: number): void {
    const { left, height } = this.#size();
    const top = height + 2 * MARGIN <= this.height ? MARGIN : this.height * share - y;
    this.#set(left, Math.min(MARGIN, top), 1);
  }

  /** Puts a map point at the middle of the screen, at the present scale. */
  moveTo(x: number, y: number): void {
    const { k } = this.transform;
    this.#set(this.width / 2 - x * k, this.height / 2 - y * k, k);
  }

  /** Moves as little as it takes to have the rectangle in view. */
  reveal(rect: MapRect): void {
    const { k, x, y } = this.transform;
    const dx = nudge(rect.left * k + x, rect.right * k + x, this.width);
    const dy = nudge(rect.top * k + y, rect.bottom * k + y, this.height);
    const { left } = this.#size();
    const isCut = x + dx > 0 && x + dx < left && rect.right * k + left <= this.width;
    const to = isCut ? left : x + dx;
    if (to !== x || dy !== 0) this.#set(to, y + dy, k);
  }

  /** Where the left edge of the map is in view, there is room for what stands beside it. */
  keepLeft(): void {
    const { k, x, y } = this.transform;
    const { left } = this.#size();
    if (x > 0 && x < left) this.#set(left, y, k);
  }

  #set(x: number, y: number, k: number): void {
    if (!this.#element || this.width === 0) return;
    this.#zoom.transform(select(this.#element), this.#constrain(zoomIdentity.translate(x, y).scale(k)));
  }

  /** Something of the map always stays in view. */
  #constrain(transform: ZoomTransform): ZoomTransform {
    const { left, width, height } = this.#size();
    const { k } = transform;
    const x = Math.min(Math.max(transform.x, left - width * k), this.width - MARGIN);
    const y = Math.min(Math.max(transform.y, 2 * MARGIN - height * k), this.height - MARGIN);
    return x === transform.x && y === transform.y ? transform : zoomIdentity.translate(x, y).scale(k);
  }
}

/** How far a span must move to lie inside 0 … size; its beginning counts when it is longer. */
function nudge(from: number, to: number, size: number): number {
  if (from < MARGIN) return MARGIN - from;
  if (to > size - MARGIN) return Math.max(size - MARGIN - to, MARGIN - from);
  return 0;
}
