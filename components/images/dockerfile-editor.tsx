'use client';

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { dockerFile } from '@codemirror/legacy-modes/mode/dockerfile';
import { tags } from '@lezer/highlight';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import clsx from 'clsx';
import { useEffect, useRef } from 'react';

interface DockerfileEditorProps {
  id?: string;
  value: string;
  onChange: (value: string) => void;
  label: string;
  isReadOnly?: boolean;
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

/** A text editor that knows Dockerfiles. Tab leaves it, as everywhere else. */
export function DockerfileEditor(props: DockerfileEditorProps) {
  const { id, value, onChange, label, isReadOnly } = props;
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
    if (describedBy) attributes['aria-describedby'] = describedBy;
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
  }, [id, label, isReadOnly, describedBy]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div
      ref={place}
      data-path="dockerfile"
      data-invalid={props['aria-invalid'] ? '' : undefined}
      tabIndex={-1}
      onFocus={(event) => event.target === place.current && view.current?.focus()}
      className={clsx(
        'focus-within:border-accent overflow-hidden rounded-md border focus-within:shadow-(--focus-field)',
        props['aria-invalid'] ? 'border-bad' : 'border-line-strong',
      )}
    />
  );
}
