// What the code views share: CodeMirror without editing, coloured by the classes of code.css, with lines marked as
// faulty and notes written below lines.

import { cpp, cppLanguage } from '@codemirror/lang-cpp';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { python, pythonLanguage } from '@codemirror/lang-python';
import { syntaxHighlighting, type Language } from '@codemirror/language';
import { EditorState, RangeSet, StateEffect, StateField, type Extension, type Range, type Text } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, lineNumbers, type DecorationSet } from '@codemirror/view';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import '../components/code.css';

// Something said about a line (from 1). With columns (from 1) the place within the line is underlined too.
export interface Note {
  line: number;
  column?: number;
  end_line?: number;
  end_column?: number;
  tone: 'bad' | 'warn' | 'good' | 'plain';
  title: string;
  message: string;
  help?: string;
  // It only takes up its room, so that the other side of a diff stays level.
  ghost?: boolean;
}

export type CodeLanguage = 'python' | 'javascript' | 'cpp' | 'text';

export function language_of(path: string): CodeLanguage {
  if (/\.(py|ipynb)$/.test(path)) return 'python';
  if (/\.[cm]?[jt]s$/.test(path)) return 'javascript';
  if (/\.(c|cc|cpp|cxx|h|hh|hpp)$/.test(path)) return 'cpp';
  return 'text';
}

const supports: Record<CodeLanguage, { support: () => Extension; language: Language | undefined }> = {
  python: { support: python, language: pythonLanguage },
  javascript: { support: () => javascript({ typescript: true }), language: javascriptLanguage },
  cpp: { support: cpp, language: cppLanguage },
  text: { support: () => [], language: undefined },
};

export const language_support = (language: CodeLanguage): Extension => supports[language].support();

// The policy of the page lets only style elements with this answer's nonce in, and CodeMirror needs one.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

export function base(label: string, language: CodeLanguage): Extension[] {
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    lineNumbers(),
    language_support(language),
    syntaxHighlighting(classHighlighter),
    notes_field,
    marks_field,
    marks_gutter,
    EditorState.tabSize.of(4),
  ];
}

// What is read has no line that ends out of sight: in a diff nothing would scroll to it.
export const read_only: Extension = [
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }),
];

// Lines of the fault, marked beside their numbers.

class FaultyMarker extends GutterMarker {
  override toDOM() {
    const mark = document.createElement('span');
    mark.className = 'faulty-mark';
    mark.title = 'Line of the fault';
    return mark;
  }
}

const faulty_marker = new FaultyMarker();
const faulty_line = Decoration.line({ class: 'faulty-line' });

export const set_marks = StateEffect.define<number[]>();

const marks_field = StateField.define<number[]>({
  create: () => [],
  update(lines, transaction) {
    for (const effect of transaction.effects) if (effect.is(set_marks)) return effect.value;
    return lines;
  },
  provide: (field) =>
    EditorView.decorations.compute([field, 'doc'], (state) =>
      RangeSet.of(line_starts(state.doc, state.field(field)).map((at) => faulty_line.range(at))),
    ),
});

const marks_gutter = gutter({
  class: 'faulty-gutter',
  markers: (view) =>
    RangeSet.of(line_starts(view.state.doc, view.state.field(marks_field)).map((at) => faulty_marker.range(at))),
});

function line_starts(doc: Text, lines: number[]): number[] {
  return [...new Set(lines)]
    .filter((line) => line >= 1 && line <= doc.lines)
    .sort((a, b) => a - b)
    .map((line) => doc.line(line).from);
}

// Notes.

class NoteWidget extends WidgetType {
  constructor(readonly notes: Note[]) {
    super();
  }
  override eq(other: NoteWidget) {
    return JSON.stringify(other.notes) === JSON.stringify(this.notes);
  }
  override get estimatedHeight() {
    return this.notes.length * 30;
  }
  override toDOM() {
    const box = document.createElement('div');
    box.className = 'notes';
    if (this.notes[0]?.ghost) {
      box.classList.add('ghost');
      box.ariaHidden = 'true';
    }
    for (const note of this.notes) {
      const item = element('div', `note ${note.tone}`);
      item.append(element('span', 'note-title', note.title), element('span', 'note-message', note.message));
      if (note.help) item.append(element('span', 'note-help', note.help));
      box.append(item);
    }
    return box;
  }
  override ignoreEvent() {
    return true;
  }
}

function element(tag: string, name: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

export const set_notes = StateEffect.define<Note[]>();

function decorate(doc: Text, notes: Note[]): DecorationSet {
  const by_line = new Map<number, Note[]>();
  const ranges: Range<Decoration>[] = [];
  for (const note of notes) {
    const at = Math.min(Math.max(1, note.line), doc.lines);
    by_line.set(at, [...(by_line.get(at) ?? []), note]);
    if (note.column) {
      const first = doc.line(at);
      const last = doc.line(Math.min(Math.max(at, note.end_line ?? at), doc.lines));
      const from = Math.min(first.from + note.column - 1, first.to);
      const to = Math.min(last.from + (note.end_column ?? note.column + 1) - 1, last.to);
      if (to > from) ranges.push(Decoration.mark({ class: `noted ${note.tone}` }).range(from, to));
    }
  }
  for (const [line, here] of by_line) {
    ranges.push(Decoration.widget({ widget: new NoteWidget(here), block: true, side: 1 }).range(doc.line(line).to));
  }
  return Decoration.set(ranges, true);
}

const notes_field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(set_notes)) return decorate(transaction.newDoc, effect.value);
    }
    return transaction.docChanged ? shown.map(transaction.changes) : shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// show_line brings a line into view and puts the cursor there.
export function show_line(view: EditorView, line: number): void {
  const place = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  view.dispatch({
    selection: { anchor: place.from },
    effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
  });
  view.focus();
}

// highlighted is a piece of code as coloured spans, a div for each line. What lies in one of the `changed` ranges, in
// order and not overlapping, has the class changed-text too.
export function highlighted(code: string, language: CodeLanguage, changed: { from: number; to: number }[] = []): HTMLElement[] {
  const lines: HTMLElement[] = [element('div', 'cm-line')];
  let at = 0;
  const next_line = () => {
    lines.push(element('div', 'cm-line'));
    at += 1;
  };
  const put = (text: string, classes: string) => {
    for (let from = 0; from < text.length; ) {
      const here = changed.find((range) => range.to > at);
      const is_changed = here !== undefined && here.from <= at;
      const end = here === undefined ? Infinity : is_changed ? here.to : here.from;
      const piece = text.slice(from, from + end - at);
      const name = [classes, is_changed ? 'changed-text' : ''].filter(Boolean).join(' ');
      lines.at(-1)!.append(name ? element('span', name, piece) : piece);
      from += piece.length;
      at += piece.length;
    }
  };
  const parser = supports[language].language?.parser;
  if (parser) {
    highlightCode(code, parser.parse(code), classHighlighter, put, next_line);
  } else {
    code.split('\n').forEach((line, number) => {
      if (number > 0) next_line();
      put(line, '');
    });
  }
  return lines;
}

// A view of a text that is only read.
export function reader(parent: HTMLElement, doc: string | Text, label: string, language: CodeLanguage, ...more: Extension[]): EditorView {
  return new EditorView({ parent, state: EditorState.create({ doc, extensions: [base(label, language), read_only, ...more] }) });
}

// Lines of the fault, and what was found; again whenever they change.
export function annotate(view: EditorView | undefined, marked: number[], notes: Note[]): void {
  view?.dispatch({ effects: [set_marks.of(marked), set_notes.of(notes)] });
}
