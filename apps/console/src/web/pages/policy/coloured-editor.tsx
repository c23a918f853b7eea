import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { CEDAR, CEDAR_COLOURS, completeCedar, type ReadNames } from './cedar-language.ts';
import { FaultList, type PlacedFault, type TextEditorProps } from './text-editor.tsx';

const THEME = EditorView.theme({
  '&': {
    height: '100%',
    flex: '1',
    minWidth: '0',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-gutters': {
    backgroundColor: 'var(--mantine-color-default-hover)',
    color: 'var(--mantine-color-dimmed)',
    border: 'none',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 10px', minWidth: '3.5em' },
  '.cm-faulty': {
    backgroundColor: 'var(--mantine-color-red-light)',
    boxShadow: 'inset 3px 0 var(--mantine-color-red-text)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-completionDetail': { fontStyle: 'normal' },
  'li:not([aria-selected]) > .cm-completionDetail': { color: 'var(--mantine-color-dimmed)' },
});

const markLines = StateEffect.define<readonly number[]>();
const FAULTY = Decoration.line({ class: 'cm-faulty' });

/** The lines with faults. */
const faultyLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, { changes, effects, state }) {
    let marks = now.map(changes);
    for (const effect of effects) {
      if (!effect.is(markLines)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      for (const line of effect.value)
        if (line >= 1 && line <= state.doc.lines)
          builder.add(state.doc.line(line).from, state.doc.line(line).from, FAULTY);
      marks = builder.finish();
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What is selected in a text, as offsets; a cursor alone has both the same. */
export interface Selected {
  readonly anchor: number;
  readonly head: number;
}

const START: Selected = { anchor: 0, head: 0 };

export type ColouredEditorProps = TextEditorProps & {
  readonly names: ReadNames;
  /** What is selected at first. */
  readonly selected?: Selected;
};

/** The policy editor: it colours Cedar, completes names, and marks lines with faults. The Tab key leaves it. */
export function ColouredEditor({
  label,
  value,
  onChange,
  faults,
  rows = 14,
  takesFocus = false,
  onSubmit,
  names,
  selected = START,
}: ColouredEditorProps) {
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const calls = useRef({ onChange, onSubmit, names });
  calls.current = { onChange, onSubmit, names };
  // Before the next key: one that is pressed between the two editors would be lost.
  useLayoutEffect(() => {
    const editor = new EditorView({
      parent: frame.current ?? document.body,
      state: EditorState.create({
        doc: value,
        selection: { anchor: Math.min(selected.anchor, value.length), head: Math.min(selected.head, value.length) },
        extensions: [
          keymap.of([
            { key: 'Mod-Enter', run: () => (calls.current.onSubmit?.(), true) },
            { key: 'Ctrl-Enter', run: () => (calls.current.onSubmit?.(), true) },
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          lineNumbers(),
          history(),
          bracketMatching(),
          closeBrackets(),
          StreamLanguage.define(CEDAR),
          syntaxHighlighting(CEDAR_COLOURS),
          autocompletion({
            override: [completeCedar((type, text) => calls.current.names(type, text))],
            icons: false,
            defaultKeymap: false,
          }),
          faultyLines,
          THEME,
          // Named as a stop of the Tab key: a screen reader then knows that the box, which may scroll, can be reached.
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of(
            (update) => update.docChanged && calls.current.onChange(update.state.doc.toString()),
          ),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // One editor for as long as it is shown: its text follows below.
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: markLines.of([...new Set(faults.map(({ line }) => line))].toSorted(byNumber)) });
    view.current?.contentDOM.setAttribute('aria-invalid', String(faults.length > 0));
  }, [faults]);
  useLayoutEffect(() => {
    if (takesFocus) view.current?.focus();
  }, [takesFocus]);
  const goTo = ({ line, column }: PlacedFault) => {
    const editor = view.current;
    if (editor === null) return;
    const { from, to } = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines));
    const anchor = Math.min(from + column - 1, to);
    editor.dispatch({ selection: { anchor, head: Math.min(anchor + 1, to) }, scrollIntoView: true });
    editor.focus();
  };
  return (
    <div>
      <div
        ref={frame}
        style={{
          display: 'flex',
          height: `${rows * 1.5}em`,
          fontSize: 13,
          border: '1px solid var(--mantine-color-default-border)',
          borderRadius: 'var(--mantine-radius-md)',
        }}
      />
      <FaultList faults={faults} goTo={goTo} />
    </div>
  );
}

const byNumber = (one: number, other: number): number => one - other;
