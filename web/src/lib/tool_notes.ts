import type { Note } from './editor';
import type { Finding, ToolFindings } from './types';

export type Judgement = 'right' | 'wrong' | 'stays';

// A finding is right if it names the type or the place of the fault. One that is made of the fixed version too
// says nothing about the fault.
export function judge(finding: Finding): Judgement {
  if (finding.stays) return 'stays';
  return finding.right_type || finding.right_line ? 'right' : 'wrong';
}

export function judgement_words(finding: Finding): string {
  switch (judge(finding)) {
    case 'stays':
      return 'also reported on the fixed version';
    case 'wrong':
      return 'wrong cause';
    case 'right':
      if (finding.right_type && finding.right_line) return 'right type and line';
      return finding.right_type ? 'right type' : 'right line';
  }
}

// Of a run of a test or of a tool. A test that ends as it should passes.
export function tone_of_verdict(verdict: string | null | undefined) {
  if (verdict === 'pass' || verdict === 'both' || verdict?.startsWith('right')) return 'good';
  if (verdict === 'fail' || verdict === 'wrong cause') return 'bad';
  return /crashed|timed out|out of memory/.test(verdict ?? '') ? 'warn' : 'plain';
}

const tones: Record<Judgement, Note['tone']> = { right: 'good', wrong: 'bad', stays: 'plain' };

// What the tools say about one file. A union repeats its members; each thing is shown once.
export function notes_of(tools: ToolFindings[], path: string): Note[] {
  const seen = new Set<string>();
  const notes: Note[] = [];
  for (const tool of tools) {
    for (const finding of tool.findings) {
      if (!same_file(finding.file, path)) continue;
      const by = finding.tool || tool.name;
      const key = [by, finding.rule, finding.line, finding.message].join('\n');
      if (seen.has(key)) continue;
      seen.add(key);
      notes.push({
        line: finding.line,
        tone: tones[judge(finding)],
        // A tool without names of rules has its message in their place.
        title: [by, finding.rule === finding.message ? '' : finding.rule].filter(Boolean).join(' '),
        message: finding.message,
        help: judgement_words(finding),
      });
    }
  }
  return notes.sort((a, b) => a.line - b.line);
}

function same_file(found: string, path: string): boolean {
  const clean = found.replace(/^\.\//, '');
  return clean === path || path.endsWith(`/${clean}`) || clean.endsWith(`/${path}`);
}
