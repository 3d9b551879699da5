import { useEffect, useRef } from 'react';
import { autocompletion, completionKeymap, type CompletionSource } from '@codemirror/autocomplete';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, type Tooltip } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { minimalSetup } from 'codemirror';
import { jsonPlace } from './json-place.ts';
import { keysAt, schemaAt, shape, valuesAt, type Schema } from './schema-help.ts';

export interface JsonEditorProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly schema: Schema | null;
  readonly onChange: (text: string) => void;
}

/** JSON with a syntax check, and with completion and help from a schema. Tab leaves it, as it does any field. */
export function JsonEditor({ id, label, value, schema, onChange }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const change = useRef(onChange);
  useEffect(() => void (change.current = onChange), [onChange]);
  const first = useRef(value);
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: view.current?.state.doc.toString() ?? first.current,
        extensions: [
          minimalSetup,
          json(),
          linter(jsonParseLinter()),
          ...(schema === null ? [] : [autocompletion({ override: [complete(schema)] }), help(schema)]),
          keymap.of(completionKeymap),
          syntaxHighlighting(HighlightStyle.define(colours)),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, id }),
          EditorView.updateListener.of(({ docChanged, state }) => docChanged && change.current(state.doc.toString())),
          theme,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [id, label, schema]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} className="overflow-hidden rounded border border-line bg-page" />;
}

function complete(schema: Schema): CompletionSource {
  return ({ state, pos, explicit }) => {
    const place = jsonPlace(state, pos);
    if (place === null || (!explicit && place.from === pos)) return null;
    const suggestions = place.role === 'key' ? keysAt(schema, place.path, place.present) : valuesAt(schema, place.path);
    const isFollowed = /^\s*:/.test(state.sliceDoc(place.to, place.to + 20));
    return {
      from: place.from,
      to: place.to,
      filter: false,
      options: suggestions
        .filter(({ label }) =>
          label.replaceAll('"', '').startsWith(state.sliceDoc(place.from, pos).replaceAll('"', '')),
        )
        .map(({ label, insert, detail, description }) => ({
          label,
          detail,
          ...(description === '' ? {} : { info: description }),
          // A key that has its value already is only renamed.
          apply: place.role === 'key' && isFollowed ? JSON.stringify(label) : insert,
          type: place.role === 'key' ? 'property' : 'enum',
        })),
    };
  };
}

function help(schema: Schema) {
  return hoverTooltip((view, pos): Tooltip | null => {
    const place = jsonPlace(view.state, pos);
    if (place === null || place.from === place.to) return null;
    const key = view.state.sliceDoc(place.from, place.to).replaceAll('"', '');
    const found = schemaAt(schema, place.role === 'key' ? [...place.path, key] : place.path);
    if (found === null) return null;
    return {
      pos: place.from,
      end: place.to,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'max-w-80 px-2 py-1';
        dom.textContent = [shape(found), found['description']].filter((part) => typeof part === 'string').join(' · ');
        return { dom };
      },
    };
  });
}

const colours = [
  { tag: tags.propertyName, color: 'var(--reused)' },
  { tag: tags.string, color: 'var(--done)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--open)' },
];

const theme = EditorView.theme({
  '&': { fontSize: '12.5px', maxHeight: '40vh', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', minHeight: '7em', lineHeight: '1.5' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { background: 'var(--panel)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal', marginLeft: '1em' },
});
