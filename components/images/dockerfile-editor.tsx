'use client';

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { dockerFile } from '@codemirror/legacy-modes/mode/dockerfile';
import { tags } from '@lezer/highlight';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import clsx from 'clsx';
import { useEffect, useRef } from 'react';

interface DockerfileEditorProps {
  id?: string;
  value: string;
  onChange: (value: string) => void;
  label: string;
  isReadOnly?: boolean;
  /** The line that something is wrong with, from 1. */
  wrongLine?: number | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

const look = EditorView.theme({
  '&': { fontSize: '12.5px', backgroundColor: 'var(--color-term)', color: 'var(--color-text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': {
    fontFamily: 'var(--font-mono)',
    minHeight: '280px',
    padding: '8px 0',
    caretColor: 'var(--color-accent)',
  },
  '.cm-scroller': { lineHeight: '20px', maxHeight: '520px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--color-text-3)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--color-hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-wrongLine, .cm-wrongLine.cm-activeLine': {
    backgroundColor: 'var(--color-bad-soft)',
    boxShadow: 'inset 3px 0 0 var(--color-bad)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--color-accent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--color-accent-line) !important',
  },
});
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--color-code-key)', fontWeight: '500' },
  { tag: tags.string, color: 'var(--color-code-str)' },
  { tag: tags.number, color: 'var(--color-code-num)' },
  { tag: tags.comment, color: 'var(--color-code-note)' },
]);

const markLine = StateEffect.define<number | undefined>();
const wrongLineMark = Decoration.line({ class: 'cm-wrongLine', attributes: { 'data-wrong-line': '' } });
/** The mark goes with its text. */
const wrongLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    const effect = effects.find((each) => each.is(markLine));
    if (!effect) return marks.map(changes);
    return effect.value === undefined ? Decoration.none : Decoration.set([wrongLineMark.range(effect.value as number)]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A text editor that knows Dockerfiles. Tab leaves it, as everywhere else. */
export function DockerfileEditor(props: DockerfileEditorProps) {
  const { id, value, onChange, label, isReadOnly, wrongLine } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  const describedBy = props['aria-describedby'] ?? '';

  useEffect(() => {
    if (!place.current) return;
    const attributes: Record<string, string> = { 'aria-label': label, tabindex: '0', ...(id ? { id } : {}) };
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          keymap.of([...defaultKeymap.filter((binding) => binding.key !== 'Mod-Enter'), ...historyKeymap]),
          StreamLanguage.define(dockerFile),
          syntaxHighlighting(colours),
          look,
          wrongLines,
          EditorView.contentAttributes.of(attributes),
          EditorState.readOnly.of(isReadOnly === true),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [id, label, isReadOnly]);

  // An editor that is made anew would lose the focus.
  useEffect(() => {
    const content = view.current?.contentDOM;
    if (describedBy) content?.setAttribute('aria-describedby', describedBy);
    else content?.removeAttribute('aria-describedby');
  }, [describedBy, id, label, isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const at = lineAt(editor, wrongLine);
    editor.dispatch({
      effects: markLine.of(at),
      // The caret waits there for whoever comes to mend it.
      ...(at === undefined ? {} : { selection: { anchor: at }, scrollIntoView: true }),
    });
  }, [wrongLine, id, label, isReadOnly]);

  return (
    <div
      ref={place}
      data-path="dockerfile"
      data-invalid={props['aria-invalid'] ? '' : undefined}
      aria-describedby={props['aria-invalid'] ? props['aria-describedby'] : undefined}
      tabIndex={-1}
      onFocus={(event) => event.target === place.current && view.current?.focus()}
      className={clsx(
        'focus-within:border-accent overflow-hidden rounded-md border focus-within:shadow-(--focus-field)',
        props['aria-invalid'] ? 'border-bad' : 'border-line-strong',
      )}
    />
  );
}

function lineAt({ state }: EditorView, line: number | undefined): number | undefined {
  if (line === undefined || line < 1 || line > state.doc.lines) return undefined;
  return state.doc.line(line).from;
}
