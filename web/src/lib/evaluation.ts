// The shape of /scoreboard, which is what `faultline evaluate --format json` prints, and the words for verdicts.

import type { Finding } from './types';

export interface Share {
  hits: number;
  of: number;
  low: number;
  high: number;
}

interface TopHits {
  top1: number | null;
  top3: number | null;
  top5: number | null;
}

export interface Scores {
  faults_in_all: number;
  applicable: number;
  right: number;
  recall: number | null;
  recall_of_all: number | null;
  precision: number | null;
  finding_precision: number | null;
  false_alarm_rate: number | null;
  detection_rate: number | null;
  type_accuracy: { leaf: number | null; category: number | null };
  localization: TopHits & { statement: TopHits; layer: TopHits; median_distance: number | null };
  intervals: Record<'recall' | 'recall_of_all' | 'precision' | 'false_alarm_rate' | 'top1' | 'top3' | 'top5', Share | null>;
  verdicts: Record<string, number>;
  seconds: number;
  peak_memory_mib: number;
}

export interface Cell {
  id: string;
  verdict: string;
  reason?: string;
  why: string;
  false_alarms: number;
  seconds: number;
  memory_mib: number;
  findings: (Finding & { distance?: number | null })[];
  on_fixed: (Finding & { distance?: number | null })[];
}

export interface ToolScores extends Scores {
  name: string;
  summary: string;
  version: string;
  hash: string;
  installed: boolean;
  faults: Cell[];
  groups: (Scores & { by: string; name: string })[];
}

export interface Evaluation {
  date: string;
  faultline: string;
  subjects: string;
  tools: ToolScores[];
  comparisons: { first: string; second: string; both: number; only_first: number; only_second: number; neither: number; p: number }[];
}

export interface Comparison {
  a: string;
  b: string;
  both: { count: number; ids: string[] };
  only_a: { count: number; ids: string[] };
  only_b: { count: number; ids: string[] };
  neither: { count: number; ids: string[] };
  mcnemar: { statistic?: number | null; p: number | null };
}

export type VerdictTone = 'good' | 'half' | 'bad' | 'fail' | 'none';

// How a fault ended for a tool: a letter, so that nobody depends on colours, and what it means.
export const verdicts: Record<string, { sign: string; means: string; tone: VerdictTone }> = {
  both: { sign: 'B', means: 'right type and right place', tone: 'good' },
  'right type': { sign: 'T', means: 'right type', tone: 'good' },
  'right place': { sign: 'P', means: 'right place', tone: 'good' },
  'wrong cause': { sign: 'w', means: 'a finding, but neither type nor place is right', tone: 'half' },
  'said nothing': { sign: '·', means: 'no finding that the fix would remove', tone: 'bad' },
  crashed: { sign: '×', means: 'the tool crashed', tone: 'fail' },
  'timed out': { sign: '⌛', means: 'the tool took too long', tone: 'fail' },
  'out of memory': { sign: 'M', means: 'the tool took too much memory', tone: 'fail' },
  'not applicable': { sign: '–', means: 'not for this language or framework', tone: 'none' },
  'not installed': { sign: '∅', means: 'the tool is not installed', tone: 'none' },
  'not run': { sign: '?', means: 'was never run', tone: 'none' },
};

export const verdict_of = (name: string) => verdicts[name] ?? { sign: name.charAt(0), means: name, tone: 'none' as const };

export const group_titles: Record<string, string> = {
  framework: 'Framework',
  taxonomy: 'Taxonomy category',
  symptom: 'Symptom',
  fix_pattern: 'Fix pattern',
  origin: 'Origin',
  silent: 'Silent or loud',
};

// p of McNemar's test in words. `alone` is how many faults only one of the two finds.
export function p_in_words(p: number | null, alone: number): string {
  if (alone === 0) return 'Both tools find exactly the same faults, so the test cannot tell them apart.';
  if (p === null) return 'The test could not be computed.';
  const chance =
    p < 0.001
      ? 'less than once in a thousand times'
      : p > 0.5
        ? 'most of the time'
        : `about once in ${Math.max(2, Math.round(1 / p))} times`;
  const verdict =
    p < 0.05
      ? 'That is too rare to be chance: they differ.'
      : 'Chance cannot be ruled out: these faults do not show which tool is better.';
  return `If both were equally good, a split of those ${alone} at least as uneven would come up ${chance}. ${verdict}`;
}

// any_ran: whether there is a verdict that comes from a run.
export const any_ran = (tools: ToolScores[]): boolean =>
  tools.some((tool) => tool.faults.some((cell) => !['not run', 'not installed', 'not applicable'].includes(cell.verdict)));
