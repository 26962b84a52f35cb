'use client';

import { useEffect, useRef, useState, type RefObject } from 'react';
import type { TerminalNewsForViewer, Watcher } from '@/lib/vocabulary/terminal';
import { TerminalLink, type TerminalAsk, type TerminalPhase } from './terminal-link';
import type { TerminalView } from './terminal-view';

interface TerminalOptions {
  ask: TerminalAsk;
  label: string;
  fontSize: number;
  isRead: boolean;
  /** What is told in the terminal itself where output was left out. */
  skippedText: (bytes: number) => string;
  onLink: (url: string, isHidden: boolean) => void;
  onSelect: (text: string) => void;
  onLeave: () => void;
}

export interface TerminalState {
  phase: TerminalPhase;
  begin: Extract<TerminalNewsForViewer, { k: 'begin' }> | undefined;
  size: { cols: number; rows: number } | undefined;
  people: Watcher[];
  hits: { current: number; count: number };
}

export interface OpenTerminal extends TerminalState {
  view: RefObject<TerminalView | undefined>;
  link: RefObject<TerminalLink | undefined>;
}

const FIRST_STATE: TerminalState = {
  phase: { name: 'connecting' },
  begin: undefined,
  size: undefined,
  people: [],
  hits: { current: 0, count: 0 },
};

/** Puts a terminal into the element and keeps it connected. What is asked for must not change while it is shown. */
export function useTerminal(place: RefObject<HTMLElement | null>, options: TerminalOptions): OpenTerminal {
  const [state, setState] = useState(FIRST_STATE);
  const view = useRef<TerminalView>(undefined);
  const link = useRef<TerminalLink>(undefined);
  const latest = useRef(options);
  const { ask, fontSize, isRead } = options;

  useEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let isGone = false;
    const patch: Patch = (part) =>
      setState((before) => ({ ...before, ...(typeof part === 'function' ? part(before) : part) }));
    async function open(into: HTMLElement) {
      const { TerminalView: View } = await loadView(into);
      if (isGone) return;
      view.current = new View(into, {
        ...latest.current,
        onKeys: (text) => link.current?.send(text),
        onMouse: (bytes) => link.current?.sendBytes(bytes),
        onFit: (size) => link.current?.resize(size),
        onSelect: (text) => latest.current.onSelect(text),
        onLink: (url, isHidden) => latest.current.onLink(url, isHidden),
        onLeave: () => latest.current.onLeave(),
        onHits: (hits) => patch({ hits }),
      });
      const { terminal } = view.current;
      link.current = connect({ ask, view: view.current, patch, latest });
      link.current.connect();
      terminal.focus();
    }
    void open(element);
    return () => {
      isGone = true;
      link.current?.stop();
      view.current?.dispose();
      link.current = undefined;
      view.current = undefined;
    };
  }, [place, ask]);

  useEffect(() => view.current?.setFontSize(fontSize), [fontSize]);
  useEffect(() => view.current?.setRead(isRead), [isRead]);
  return { ...state, view, link };
}

type Patch = (part: Partial<TerminalState> | ((before: TerminalState) => Partial<TerminalState>)) => void;

function isAway({ name }: TerminalPhase): boolean {
  return name === 'waiting' || name === 'blocked';
}

/** The terminal's code, and the face that it measures. */
async function loadView(element: HTMLElement) {
  const face = getComputedStyle(element).fontFamily;
  const [module] = await Promise.all([import('./terminal-view'), document.fonts.load(`13px ${face}`).catch(() => [])]);
  return module;
}

interface Connecting {
  ask: TerminalAsk;
  view: TerminalView;
  patch: Patch;
  latest: RefObject<TerminalOptions>;
}

function connect({ ask, view, patch, latest }: Connecting): TerminalLink {
  const { terminal } = view;
  const { cols, rows } = terminal;
  return new TerminalLink(
    ask,
    {
      // A try in between changes nothing for the eye, and leaves the page's room as it is.
      onPhase: (phase) => patch((before) => (phase.name === 'connecting' && isAway(before.phase) ? {} : { phase })),
      onBegin(begin) {
        patch({ begin });
        noteSession(begin.session);
      },
      onOutput: (bytes, done) => terminal.write(bytes, done),
      onSkipped: (bytes) => terminal.write(`\u001b[0m\r\n\u001b[7m ${latest.current.skippedText(bytes)} \u001b[0m\r\n`),
      onSize(size) {
        view.setShared(size);
        patch({ size: { cols: terminal.cols, rows: terminal.rows } });
      },
      onWatching: (people) => patch({ people }),
    },
    { cols, rows },
  );
}

/** The address names the session, so that loading the page anew takes it up again. */
function noteSession(session: string): void {
  const url = new URL(window.location.href);
  if (url.searchParams.get('session') === session) return;
  url.searchParams.set('session', session);
  window.history.replaceState(null, '', url);
}
