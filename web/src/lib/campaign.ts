// The shape of /campaigns/NAME, which is what `faultline campaign report --format json` prints.

import { none, number } from './format';

export interface Box {
  count: number;
  mean: number;
  minimum: number;
  lower_whisker: number;
  lower_quartile: number;
  median: number;
  upper_quartile: number;
  upper_whisker: number;
  maximum: number;
  outliers_below: number;
  outliers_above: number;
}

export type SymptomShares = Record<string, { count: number; share: number }>;

export interface Group {
  label: string;
  name: string;
  variants: number;
  ended: number;
  symptoms: SymptomShares;
  metric: Box | null;
  seconds: Box | null;
  comparable: number;
  unchanged: number;
}

export interface DifferenceTest {
  grouping: string;
  quantity: string;
  key: string;
  label: string;
  count: number;
  mean: number | null;
  clean_mean: number | null;
  welch_t: number | null;
  p: number;
  adjusted_p: number;
  mann_whitney_adjusted_p: number;
  cohens_d: number | null;
  a12: number;
  significant: boolean;
}

export interface GroupsTest {
  test: string;
  grouping: string;
  quantity: string;
  groups: number;
  statistic: number | null;
  p: number;
}

export interface JiaFinding {
  number: number;
  verdict: string;
  wording: string;
  statement: string;
  criterion: string;
  numbers: string;
}

export interface Outlier {
  quantity: string;
  variant: string;
  value: number;
  side: 'above' | 'below';
}

export interface CrashGroup {
  exception: string;
  file: string;
  line: number;
  function: string;
  statement: string;
  message: string;
  count: number;
  share: number;
  variants: string[];
}

export interface TypeCoverage {
  type: string;
  operators: string[];
  variants: number;
  noticed: number;
}

export interface CampaignReport {
  name: string;
  variants: number;
  finished: number;
  symptoms: SymptomShares;
  by_operator: Record<string, Group>;
  by_phase: Record<string, Group>;
  by_target: Record<string, Group>;
  clean: { runs: number; metric_name: string; metric: Box | null; seconds: Box | null };
  all: Group;
  unstable: number;
  tests: DifferenceTest[];
  groups_tests: GroupsTest[];
  findings: JiaFinding[];
  outliers: Outlier[];
  crashes: CrashGroup[];
  taxonomy: TypeCoverage[];
  accounting: {
    starts: Record<string, number>;
    decisions: Record<string, number>;
    spent_cpu_seconds: number;
    full_cpu_seconds: number;
  };
  started: string;
  ended: string;
  machine: unknown;
  versions: unknown;
  settings: unknown;
  figures: Record<string, { title: string; caption: string; spec: Record<string, unknown> }>;
}

// In the order in which they are drawn. The colours are those of the figures, which carry them along.
export const symptoms: Record<string, { colour: string; means: string }> = {
  normal: { colour: '#a3adb8', means: 'it behaves like the clean program' },
  crash: { colour: '#c44e52', means: 'an uncaught exception, a failing exit status or a signal' },
  hang: { colour: '#7a4fa3', means: 'it exceeded the time limit' },
  'out-of-memory': { colour: '#b779c4', means: 'it exceeded the memory limit' },
  'not-a-number': { colour: '#8c6d31', means: 'a metric is NaN or infinite' },
  'invalid-metric': { colour: '#d6b656', means: 'a metric is outside its range or was never reported' },
  degraded: { colour: '#e08a3c', means: 'the first metric is worse than in every clean run' },
  improved: { colour: '#4c9f70', means: 'the first metric is better than in every clean run' },
  slower: { colour: '#3f7fb5', means: 'it takes more time than every clean run' },
  faster: { colour: '#7cc4d8', means: 'it takes less time than every clean run' },
};

export const campaign_path = (name: string) => `/campaigns/${encodeURIComponent(name)}`;
export const variant_path = (name: string, id: string) => `${campaign_path(name)}/variants/${encodeURIComponent(id)}`;

// Marks of the report's figures link to places in its single page. Here a click goes to a page of its own.
export function without_links(spec: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(spec);
  for (const layer of [copy, ...((copy.layer as Record<string, unknown>[] | undefined) ?? [])]) {
    const encoding = layer.encoding as Record<string, unknown> | undefined;
    if (encoding) delete encoding.href;
  }
  return copy;
}

export const p_text = (p: number | null) => (p === null ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3));

// NaN and infinities come as words.
type Value = number | string | null;

export interface VariantItem {
  id: string;
  operator: string;
  label: string;
  setting: string;
  library: string;
  file: string;
  line: number;
  phases: string[]; // all that run the changed line
  before: string;
  after: string;
  symptom: string | null;
  metric: Value;
  metric_difference: Value;
  metrics: Record<string, Value>;
  seconds: number | null;
}

export interface VariantPage {
  total: number;
  items: VariantItem[];
}

export interface VariantRun {
  repeat: number;
  symptom: string;
  start: string;
  decision: string;
  metrics: Record<string, Value>;
  seconds: number;
  cpu_seconds: number;
  spent_seconds: number;
  memory_kib: number;
  checkpoints: number;
  crash: { exception: string; message: string; file: string; line: number; function: string; statement: string } | null;
}

export interface Variant extends VariantItem {
  runs: VariantRun[];
  diff: string | null;
  log: string | null;
  log_bytes: number;
}

export const value_text = (value: Value | undefined): string => (typeof value === 'string' ? value : number(value, 4));

// In columns decimal points stand below each other.
export const fixed = (value: number | null | undefined): string =>
  value === null || value === undefined ? none : value.toFixed(Math.abs(value) < 10 ? 4 : 2).replace('-', '−');
