import clsx from 'clsx';

export type GlyphKind = 'up' | 'busy' | 'waiting' | 'off' | 'bad' | 'stale' | 'done' | 'warn';

const tones: Record<GlyphKind, string> = {
  up: 'text-ok',
  busy: 'text-busy',
  waiting: 'text-busy',
  off: 'text-text-3',
  bad: 'text-bad',
  stale: 'text-text-3',
  done: 'text-ok',
  warn: 'text-warn',
};

/** A status mark. Its shape carries the meaning, its colour repeats it. */
export function Glyph({ kind, className }: { kind: GlyphKind; className?: string }) {
  return (
    <svg viewBox="0 0 14 14" aria-hidden="true" className={clsx('size-3.5', tones[kind], className)}>
      <Shape kind={kind} />
    </svg>
  );
}

function Shape({ kind }: { kind: GlyphKind }) {
  const line = { fill: 'none', stroke: 'currentColor' };
  switch (kind) {
    case 'up':
      return (
        <>
          <circle cx="7" cy="7" r="7" fill="currentColor" opacity=".2" />
          <circle cx="7" cy="7" r="3.5" fill="currentColor" />
        </>
      );
    case 'busy':
      return (
        <>
          <circle cx="7" cy="7" r="5.2" {...line} strokeWidth="2" opacity=".28" />
          <Arc />
        </>
      );
    case 'waiting':
      return <circle cx="7" cy="7" r="5.2" {...line} strokeWidth="1.9" strokeDasharray="2.1 1.98" />;
    case 'off':
      return <circle cx="7" cy="7" r="4.6" {...line} strokeWidth="1.7" />;
    case 'stale':
      return (
        <>
          <circle cx="7" cy="7" r="5.2" {...line} strokeWidth="1.6" strokeDasharray="3.3 2.14" />
          <circle cx="7" cy="7" r="2" fill="currentColor" />
        </>
      );
    case 'warn':
      return (
        <>
          <path d="M7 .8 13.6 12.6a.7.7 0 0 1-.6 1H1a.7.7 0 0 1-.6-1Z" fill="currentColor" />
          <path d="M7 5v3.6M7 10.9v.1" className="stroke-surface" fill="none" strokeWidth="1.5" strokeLinecap="round" />
        </>
      );
    default:
      return (
        <>
          <circle cx="7" cy="7" r="6.5" fill="currentColor" />
          <path
            d={kind === 'bad' ? 'M4.7 4.7l4.6 4.6M9.3 4.7L4.7 9.3' : 'M4.2 7.2l2 2 3.7-4.1'}
            className="stroke-surface"
            fill="none"
            strokeWidth="1.65"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      );
  }
}

function Arc() {
  return (
    <path
      className="animate-turn"
      style={{ transformOrigin: '7px 7px' }}
      d="M7 1.8A5.2 5.2 0 0 1 12.2 7"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    />
  );
}

/** The turning arc alone, in the colour of the text around it. */
export function BusyArc() {
  return (
    <svg viewBox="0 0 14 14" aria-hidden="true" className="-ml-0.5 size-3.5">
      <Arc />
    </svg>
  );
}
