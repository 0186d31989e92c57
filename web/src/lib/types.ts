// The shapes of /api/v1, as its OpenAPI description has them.

export type Framework = 'pytorch' | 'keras' | 'tensorflow' | 'tfjs' | 'libtorch' | (string & {});
export type Language = 'python' | 'javascript' | 'cpp' | (string & {});

export const scheme_names = ['type', 'category', 'fix_pattern', 'symptom', 'property', 'phase', 'level'] as const;
export type SchemeName = (typeof scheme_names)[number];
export type Labels = Record<SchemeName, string>;

export interface Queue {
  running: number;
  waiting: number;
  workers: number;
  per_user: number;
}

export interface Status {
  version: string;
  faults: number;
  can_run: boolean;
  reason: string | null;
  queue: Queue;
  frameworks: Record<string, { available: boolean; missing?: string | string[] }>;
  problems: string[];
}

export interface Session {
  authenticated: boolean;
}

export interface Survey {
  met: number;
  severity: [number, number, number];
  effort: [number, number, number];
}

export interface Label {
  id: string;
  name: string;
  definition: string;
  leaf: boolean;
  counts: Record<string, number>;
  survey?: Survey | null;
}

export interface Scheme {
  name: SchemeName;
  title: string;
  source: string;
  labels: Label[];
}

export interface Location {
  file: string;
  lines: number[];
}

export interface FaultSummary {
  id: string;
  title: string;
  framework: Framework;
  language: Language;
  split: 'dev' | 'test';
  status: 'active' | 'withdrawn';
  origin: { kind: string; url: string };
  labels: Labels;
  location: Location;
  support: number;
  silent: boolean;
  parts: number;
  proved: boolean | null;
  proved_by: 'here' | 'record' | null;
}

export interface FacetValue {
  value: string;
  count: number;
}

export interface FaultPage {
  total: number;
  offset: number;
  limit: number;
  items: FaultSummary[];
  facets: Record<string, FacetValue[]>;
}

export interface Part {
  name: string;
  title: string;
  labels: Labels;
  published: string[];
  location: Location;
  patch: string;
}

export interface AcceptedFix {
  part: string;
  why: string;
  patch?: string;
  diff?: string;
  fix_pattern?: string;
  type?: string;
  location?: Location;
}

export interface Oracle {
  kind: 'statistical' | 'exit-status';
  evidence: string;
  metric?: string;
  direction?: 'higher' | 'lower';
  threshold?: number;
  seeds?: number;
  test?: string;
  alpha?: number;
  effect?: number;
}

export interface SourceFile {
  path: string;
  buggy: string | null;
  fixed: string | null;
  faulty_lines: number[];
}

export interface Fault extends Omit<FaultSummary, 'parts' | 'origin'> {
  summary: string;
  general: string;
  origin: { kind: string; url: string; dataset: string; record: string };
  parts: Part[];
  accepted: AcceptedFix[];
  oracle: Oracle;
  run: {
    command: string[];
    test: string[];
    timeout_seconds: number;
    memory_mib: number;
    compile?: { sources: string[]; output: string };
  };
  environment: {
    in: string[];
    not_in: string[];
    data: string[];
  };
  realism: { api: string; data: string; fix: string; note: string };
  withdrawn?: { version: string; date: string; reason: string };
  files: SourceFile[];
  diff: string;
  test_file: { path: string; text: string };
  checkout: Record<string, string>;
}

export interface ProofRun {
  purpose: string;
  seed: number;
  which: number;
  environment: string;
  verdict: string;
  why: string;
  wall_seconds: number;
  cpu_seconds: number;
  peak_memory_kib: number;
  when: number | string;
  metric?: number | null;
}

export interface Environment {
  name: string;
  title: string;
  purpose: string;
  driver: string;
  frameworks: string[];
  packages: Record<string, string>;
  available: boolean;
  missing: string;
  forms: string[];
}

export interface Proof {
  record: {
    times: number;
    last: number | string;
    proved: boolean;
    runs: number;
    seeds: number;
    versions: string;
    reason: string;
  } | null;
  committed: { date: string; runs: number; seeds: number; versions: string } | null;
  unavailable: Record<string, string>;
  checks: { name: string; holds: boolean; detail: string }[];
  runs: ProofRun[];
  statistical: {
    metric: string;
    higher_is_better: boolean;
    threshold: number;
    alpha: number;
    effect: number;
    test: string;
    buggy: number[];
    fixed: number[];
  } | null;
}

export interface Similar {
  items: { id: string; title: string; framework: Framework; similarity: number; same_group: boolean }[];
}

export type Severity = 'error' | 'warning' | 'info' | (string & {});

// What a tool says about a fault. `stays` is set where it says the same of the fixed version.
export interface Finding {
  tool: string;
  rule: string;
  file: string;
  line: number;
  message: string;
  severity: Severity;
  type: string;
  stays: boolean;
  right_type: boolean;
  right_line: boolean;
  right_statement: boolean;
  right_layer: boolean;
}

export interface ToolFindings {
  name: string;
  summary: string;
  kind: 'static' | 'dynamic' | (string & {});
  applicable: boolean;
  reason: string | null;
  installed: boolean;
  verdict: string;
  seconds: number | null;
  memory_mib: number | null;
  findings: Finding[];
  alarms: Finding[];
}

export interface Tool {
  name: string;
  summary: string;
  kind: string;
  installed: boolean;
  reason: string | null;
  version: string | null;
  frameworks: string[];
  languages: string[];
  members: string[];
}

export type RunState = 'waiting' | 'running' | 'finished' | 'cancelled' | 'interrupted' | 'failed';

export interface Run {
  id: string;
  kind: 'test' | 'tool';
  fault: string;
  version: 'buggy' | 'fixed' | null;
  seed: number | null;
  tool: string | null;
  state: RunState;
  position: number | null;
  created: number | string;
  started: number | string | null;
  finished: number | string | null;
  verdict: string | null;
  why: string | null;
  wall_seconds: number | null;
  cpu_seconds: number | null;
  peak_memory_kib: number | null;
  findings?: Finding[];
  alarms?: Finding[];
  log_bytes: number;
  yours: boolean;
}

export interface Runs extends Queue {
  runs: Run[];
}

export interface TaxonomyNode {
  id: string;
  name: string;
  parent: string | null;
  leaf: boolean;
  definition: string;
  published: Record<string, number>;
  survey: Survey | null;
  faults: number;
  dev: number;
  test: number;
  recall: Record<string, { hits: number; of: number }>;
}

export interface Taxonomy {
  nodes: TaxonomyNode[];
}

// `done` of `runs` are done: a variant may have several. One that cannot be read has a `problem` and nothing more.
export interface CampaignSummary {
  name: string;
  title?: string;
  program: string;
  created: number | string;
  finished: number | string | null;
  variants: number;
  done: number;
  runs: number;
  symptoms: Record<string, number>;
  state: 'running' | 'finished' | 'stopped';
  problem?: string;
}

// What `check` finds in a program of the reader's own.
export interface CheckPlace {
  file: string;
  cell?: number;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

export interface CheckFinding extends CheckPlace {
  rule: string;
  severity: Severity;
  confidence: string;
  message: string;
  type: string;
  fix_pattern: string;
  notes: ({ text: string } & Partial<CheckPlace>)[];
  help?: string;
  fix?: { description: string; safe: boolean; edits: (CheckPlace & { text: string })[] };
}

export interface Layer {
  name: string;
  type: string;
  line: number;
  cell?: number;
  output: unknown;
  parameters: number | null;
  inputs: (string | number)[];
}

export interface Model {
  name: string;
  line: number;
  cell?: number;
  input: unknown;
  parameters: number | null;
  // Whether the parameters of every layer are known.
  complete?: boolean;
  layers: Layer[];
}

export interface CheckAnswer {
  findings: CheckFinding[];
  models: Model[];
  partly: { line: number; cell?: number; what: string } | null;
  cells?: { number: number; text: string }[];
  seconds: number;
}

export interface Criteria {
  criteria: {
    name: string;
    title: string;
    definition: string;
    measures: { name: string; value: number | string; unit: string; detail: string; of?: number }[];
  }[];
}
