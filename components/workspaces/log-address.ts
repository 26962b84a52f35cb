import { openQuery, type LogQuery } from '@/components/ui/log/log-query';
import { LOG_LEVELS } from '@/components/ui/log/log-line';
import { LOG_SPANS, type LogSpan } from './log-span';
import { SIDE_BY_SIDE } from './side-by-side';

/** What the address of a log page says, so that a link and a reload show the same. */
export interface LogAddress {
  query: LogQuery;
  span: LogSpan;
  /** Of the span `range`: ISO dates, empty for no bound. */
  from: string;
  to: string;
  isWrapped: boolean;
  hasTime: boolean;
  /** Number of a line to go to, in the log of a container. */
  line: number | undefined;
  container: string;
  /** The workspaces of a page that shows several. */
  ids: string[];
}

/** Characters of a container's id that tell it apart. */
const ID_CHARS = 12;

const FLAGS = { isRegex: 'regex', isCaseSensitive: 'case', isInverted: 'not', isFiltering: 'only' } as const;

export function readLogAddress(params: URLSearchParams): LogAddress {
  const levels = (params.get('levels') ?? '').split(',');
  const line = Number(params.get('line') ?? '');
  const query: LogQuery = {
    ...openQuery,
    pattern: (params.get('search') ?? '').slice(0, 500),
    levels: LOG_LEVELS.filter((level) => levels.includes(level)),
  };
  for (const [flag, key] of Object.entries(FLAGS) as [keyof typeof FLAGS, string][])
    query[flag] = params.get(key) === '1';
  return {
    query,
    span: LOG_SPANS.find((span) => span === params.get('span')) ?? 'all',
    from: readDate(params.get('from')),
    to: readDate(params.get('to')),
    isWrapped: params.get('wrap') === '1',
    hasTime: params.get('time') !== '0',
    line: Number.isSafeInteger(line) && line > 0 ? line : undefined,
    container: params.get('container') ?? '',
    ids: [...new Set((params.get('ids') ?? '').split(','))]
      .filter((id) => /^[a-z0-9]{15}$/.test(id))
      .slice(0, SIDE_BY_SIDE),
  };
}

function readDate(text: string | null): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** The part of an address after the question mark; what is usual is left out. */
export function writeLogAddress(address: LogAddress): string {
  const { query, span, from, to, isWrapped, hasTime, line, container, ids } = address;
  const params = new URLSearchParams();
  if (ids.length > 0) params.set('ids', ids.join(','));
  if (query.pattern) params.set('search', query.pattern);
  for (const [flag, key] of Object.entries(FLAGS) as [keyof typeof FLAGS, string][])
    if (query[flag]) params.set(key, '1');
  if (query.levels.length > 0) params.set('levels', query.levels.join(','));
  if (span !== 'all') params.set('span', span);
  if (span === 'range' && from) params.set('from', from);
  if (span === 'range' && to) params.set('to', to);
  if (isWrapped) params.set('wrap', '1');
  if (!hasTime) params.set('time', '0');
  if (line !== undefined) params.set('line', String(line));
  if (line !== undefined && container) params.set('container', container.slice(0, ID_CHARS));
  return params.toString();
}
