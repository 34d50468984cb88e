import { Persisted } from '../state/persisted.svelte.ts';

export type TreePart = 'map' | 'outline';
const CHOICES = ['both', 'map', 'outline'] as const;
type Choice = (typeof CHOICES)[number];

const isChoice = (value: unknown): value is Choice => CHOICES.some((choice) => choice === value);

/** Whether the tree pane shows the map, the outline or both; remembered. */
class TreeParts {
  readonly #choice = new Persisted<Choice>('stemma.tree', 'both', isChoice);

  shows(part: TreePart): boolean {
    return this.#choice.value === 'both' || this.#choice.value === part;
  }

  /** Shows or hides a part. The last one is not hidden: the other one takes its place. */
  toggle(part: TreePart): void {
    const other = part === 'map' ? 'outline' : 'map';
    this.#choice.value = this.#choice.value === 'both' || !this.shows(part) ? (this.shows(part) ? other : 'both') : other;
  }
}

export const treeParts = new TreeParts();
