/** The mark: a quay with two hulls. */
export function BrandMark({ className = 'size-[22px]' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      <rect className="fill-text" x="2.5" y="2" width="4" height="20" rx="1.2" />
      <path className="fill-accent" d="M8.5 3h5.6c3.3 0 5.6 1.7 6.6 4-1 2.3-3.3 4-6.6 4H8.5z" />
      <path className="fill-accent" d="M8.5 13h6.6c3.3 0 5.7 1.7 6.7 4-1 2.3-3.4 4-6.7 4H8.5z" />
    </svg>
  );
}

const hull = (x: number) => `M${x} 38h26v34c0 15-6.5 25-13 31-6.5-6-13-16-13-31z`;

/** A quay with four berths, one of them free; all free when `isEmpty`. For empty and not-found pages only. */
export function QuayDrawing({ isEmpty }: { isEmpty?: boolean }) {
  const berths = [17, 81, 145, 209];
  const free = isEmpty ? 0 : 2;
  return (
    <svg viewBox="0 0 260 116" width="260" height="116" aria-hidden="true" className="max-w-full overflow-visible">
      <rect className="fill-line-strong" x="0" y="14" width="260" height="14" rx="4" />
      {berths.map((x, index) =>
        index === free ? (
          <path
            key={x}
            d={hull(x)}
            className="fill-accent-soft stroke-accent"
            strokeWidth="1.6"
            strokeDasharray="3.5 3.5"
          />
        ) : isEmpty ? (
          <path
            key={x}
            d={hull(x)}
            className="stroke-line-control fill-none"
            strokeWidth="1.25"
            strokeDasharray="3.5 3.5"
          />
        ) : (
          <g key={x}>
            <path d={hull(x)} className="fill-line-control" />
            <rect className="fill-surface" opacity=".32" x={x + 7} y="46" width="12" height="22" rx="5" />
          </g>
        ),
      )}
      {[0, 64.5, 128.5, 192.5, 252].map((x) => (
        <rect key={x} className="fill-line-strong" x={x} y="20" width="8" height="62" rx="3" />
      ))}
      {berths.map((x) => (
        <circle key={x} className="fill-surface" cx={x + 13} cy="21" r="2" />
      ))}
    </svg>
  );
}
