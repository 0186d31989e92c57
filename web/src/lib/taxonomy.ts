import { none, percent } from './format';
import type { Survey, TaxonomyNode } from './types';

// The taxonomy of fault types as a tree, and the ways in which it can be coloured.

export interface Branch extends TaxonomyNode {
  children: Branch[];
  above: Branch | null;
}

export interface Tree {
  tops: Branch[];
  by_id: Map<string, Branch>;
}

export function grow(nodes: TaxonomyNode[]): Tree {
  const by_id = new Map<string, Branch>(nodes.map((node) => [node.id, { ...node, children: [], above: null }]));
  const tops: Branch[] = [];
  for (const branch of by_id.values()) {
    branch.above = (branch.parent && by_id.get(branch.parent)) || null;
    (branch.above?.children ?? tops).push(branch);
  }
  return { tops, by_id };
}

// From the top down to the branch itself.
export function path_to(branch: Branch): Branch[] {
  return branch.above ? [...path_to(branch.above), branch] : [branch];
}

export const published = (branch: TaxonomyNode): number =>
  Object.values(branch.published).reduce((sum, count) => sum + count, 0);

// The survey asked about groups of faults, not about every leaf: a leaf has the answers about its group.
export function survey_of(branch: Branch): { survey: Survey; of: Branch } | null {
  if (branch.survey) return { survey: branch.survey, of: branch };
  return branch.above ? survey_of(branch.above) : null;
}

export const colourings = {
  coverage: 'Faults here',
  published: 'Published faults',
  severity: 'Rated critical',
  effort: 'Rated high effort',
  recall: 'Recall of a tool',
} as const;
export type Colouring = keyof typeof colourings;

export interface Shade {
  heat: number | null; // 0 to 1; nothing to say: null
  text: string;
  tone: 'accent' | 'good' | 'bad' | 'warn';
}

// The ground that a shade is drawn on, as CSS; a branch with nothing to say has none.
export const ground = ({ heat, tone }: Shade): string | undefined =>
  heat === null ? undefined : `color-mix(in srgb, var(--${tone}) ${heat * 34 + 11}%, var(--paper))`;

// What every drawing of the taxonomy is given.
export interface Drawing {
  shade: (branch: Branch) => Shade;
  chosen: Branch | null;
  address: (branch: Branch) => string;
}

// Counts differ by orders of magnitude between a leaf and the top of its branch.
const logarithmic = (count: number, most: number) => Math.log1p(count) / Math.log1p(Math.max(1, most));

// A paint says for each branch how strongly it is coloured and which number that is.
export function paint(colouring: Colouring, tool: string, tree: Tree): (branch: Branch) => Shade {
  const most = (count: (branch: Branch) => number) => Math.max(0, ...tree.tops.map(count));
  switch (colouring) {
    case 'coverage': {
      const top = most((branch) => branch.faults);
      return ({ faults }) => ({ heat: faults ? logarithmic(faults, top) : null, text: String(faults), tone: 'good' });
    }
    case 'published': {
      const top = most(published);
      return (branch) => {
        const all = published(branch);
        return { heat: all ? logarithmic(all, top) : null, text: String(all), tone: 'accent' };
      };
    }
    case 'severity':
    case 'effort': {
      const top = Math.max(1, ...[...tree.by_id.values()].map((branch) => branch.survey?.[colouring][2] ?? 0));
      const tone = colouring === 'severity' ? 'bad' : 'warn';
      return (branch) => {
        const share = survey_of(branch)?.survey[colouring][2];
        return share === undefined ? { heat: null, text: none, tone } : { heat: share / top, text: percent(share / 100, 0), tone };
      };
    }
    case 'recall':
      return (branch) => {
        const score = branch.recall[tool];
        if (!score?.of) return { heat: null, text: none, tone: 'accent' };
        return { heat: score.hits / score.of, text: `${score.hits}/${score.of}`, tone: 'accent' };
      };
  }
}
