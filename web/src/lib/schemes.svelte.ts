import { get } from './api';
import type { Label, Scheme } from './types';

// The label schemes, read once: names and definitions of every label that the views show.
class Schemes {
  all = $state.raw<Scheme[]>([]);
  #labels = $derived(
    new Map<string, Label>(this.all.flatMap((scheme) => scheme.labels.map((label) => [`${scheme.name}:${label.id}`, label] as const))),
  );

  // Without them labels have no names, so a server that does not answer is asked again, less and less often.
  async load() {
    for (let wait = 1000; ; wait = Math.min(wait * 2, 30_000)) {
      try {
        this.all = (await get<{ schemes: Scheme[] }>('/schemes')).schemes;
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  label(scheme: string, id: string): Label | undefined {
    return this.#labels.get(`${scheme}:${id}`);
  }

  // A label in words; what has no name is made readable.
  name(scheme: string, id: string): string {
    return this.label(scheme, id)?.name ?? words(scheme, id);
  }
}

export const schemes = new Schemes();

const known: Record<string, string> = {
  pytorch: 'PyTorch',
  tfjs: 'TensorFlow.js',
  libtorch: 'LibTorch',
  keras: 'Keras',
  tensorflow: 'TensorFlow',
  python: 'Python',
  javascript: 'JavaScript',
  cpp: 'C++',
  stack_overflow: 'Stack Overflow',
  github: 'GitHub',
};

export function words(scheme: string, id: string): string {
  if (scheme === 'silent') return id === 'true' ? 'Silent' : 'Loud';
  if (known[id]) return known[id];
  const text = id.slice(id.lastIndexOf('/') + 1).replace(/[-_]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const facet_titles: Record<string, string> = {
  framework: 'Framework',
  language: 'Language',
  split: 'Split',
  silent: 'Silent or loud',
  origin: 'Origin',
  dataset: 'Data set',
  type: 'Fault type',
  category: 'Defect category',
  fix_pattern: 'Fix pattern',
  symptom: 'Symptom',
  property: 'Property',
  phase: 'Phase',
  level: 'Level',
  status: 'Status',
};
