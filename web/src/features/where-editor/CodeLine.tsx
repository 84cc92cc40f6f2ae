import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Compartment, EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, placeholder, tooltips } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { styleNonce } from '../../boot.ts';
import classes from './CodeLine.module.css';

export interface CodeLineProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter was pressed. */
  onSubmit?: (() => void) | undefined;
  hint?: string;
  complete: CompletionSource;
  invalid?: boolean;
  /** Character, from 0, at which the text is wrong. */
  problemPosition?: number | undefined;
  /** Enter begins a new line. */
  multiline?: boolean;
}

const setProblem = StateEffect.define<number | undefined>();
const problemMark = Decoration.mark({ class: classes.problem ?? '' });

/** The mark stays where it is until the text changes. */
const problemField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    for (const effect of transaction.effects) {
      if (effect.is(setProblem)) return marksAt(effect.value, transaction.newDoc.toString());
    }
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marksAt(position: number | undefined, text: string): DecorationSet {
  if (position === undefined || text === '') return Decoration.none;
  const start = Math.min(Math.max(position, 0), text.length - 1);
  const length = /^[\w.]+/.exec(text.slice(start))?.[0].length ?? 1;
  return Decoration.set([problemMark.range(start, start + length)]);
}

/** Code with completion, in one line unless said otherwise. Tab leaves it; in one line Enter submits. */
export function CodeLine(props: CodeLineProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const live = useRef(props);
  live.current = props;
  const scheme = useComputedColorScheme();
  const darkness = useRef(new Compartment());

  useEffect(() => {
    if (!host.current) return;
    const { value, label, hint, multiline = false } = live.current;
    const theme = darkness.current.of(EditorView.theme({}, { dark: scheme === 'dark' }));
    const state = EditorState.create({
      doc: multiline ? value : oneLine(value),
      extensions: [theme, ...(multiline ? [] : onlyOneLine(live)), ...extensions(live, label, hint)],
    });
    const built = new EditorView({ state, parent: host.current });
    view.current = built;
    return () => {
      built.destroy();
      view.current = null;
    };
  }, [scheme]);

  // What is typed comes back as `value`; only another text than the editor's is put into it.
  useEffect(() => {
    const built = view.current;
    const next = props.multiline ? props.value : oneLine(props.value);
    if (!built || built.state.doc.toString() === next) return;
    built.dispatch({ changes: { from: 0, to: built.state.doc.length, insert: next } });
  }, [props.value, props.multiline]);

  useEffect(() => {
    view.current?.dispatch({ effects: setProblem.of(props.problemPosition) });
  }, [props.problemPosition]);

  const shape = props.multiline ? classes.area : classes.line;
  return <div ref={host} className={`${shape} ${props.invalid ? classes.invalid : ''}`} />;
}

function onlyOneLine(live: { current: CodeLineProps }) {
  return [
    EditorView.clipboardInputFilter.of(oneLine),
    EditorState.transactionFilter.of((transaction) => (transaction.newDoc.lines > 1 ? [] : transaction)),
    Prec.high(keymap.of([{ key: 'Enter', run: () => submit(live.current) }])),
  ];
}

function extensions(live: { current: CodeLineProps }, label: string, hint = '') {
  return [
    EditorView.cspNonce.of(styleNonce),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const text = state.doc.toString();
      const { value, multiline, onChange } = live.current;
      if (docChanged && text !== (multiline ? value : oneLine(value))) onChange(text);
    }),
    history(),
    bracketMatching(),
    closeBrackets(),
    placeholder(hint),
    problemField,
    tooltips({ position: 'fixed', parent: document.body }),
    autocompletion({ override: [(context) => proposals(live.current, context)], icons: false }),
    // Completion first: Enter takes a proposal when there is one.
    keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

/** Names come from the server: if the line has lost focus by then, they would only cover what is below. */
async function proposals({ complete }: CodeLineProps, context: CompletionContext): Promise<CompletionResult | null> {
  const found = await complete(context);
  return context.view?.hasFocus === false ? null : found;
}

function submit({ onSubmit }: CodeLineProps): boolean {
  onSubmit?.();
  return true;
}

function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/);
  return lines.length === 1 ? text : lines.map((line) => line.trim()).join(' ');
}
