import { CircleCheck, CircleX, Minus, TriangleAlert } from 'lucide-react';
import { useServerWords } from '@/components/data/server-words';

const marks = {
  ok: <CircleCheck className="text-ok-text size-4" aria-hidden="true" />,
  warning: <TriangleAlert className="text-warn-text size-4" aria-hidden="true" />,
  error: <CircleX className="text-bad-text size-4" aria-hidden="true" />,
  failed: <CircleX className="text-bad-text size-4" aria-hidden="true" />,
  skipped: <Minus className="text-text-3 size-4" aria-hidden="true" />,
};

/** What was found of one thing, in the server's words; `cure` says what to do, or nothing. */
interface Finding {
  name: string;
  state: keyof typeof marks;
  /** The state, for whoever hears the page. */
  stateWords: string;
  found: string;
  cure: string;
}

/** What was looked at, a line each, with what to do about it. */
export function CheckList({ label, findings }: { label: string; findings: readonly Finding[] }) {
  const say = useServerWords();
  return (
    <ul aria-label={label} className="divide-line border-line divide-y border-t">
      {findings.map(({ name, state, stateWords, found, cure }) => (
        <li
          key={name}
          className="text-table grid grid-cols-[16px_160px_minmax(0,1fr)] gap-x-2.5 px-3.5 py-2 max-lg:grid-cols-[16px_minmax(0,1fr)]"
        >
          <span className="pt-0.5">{marks[state]}</span>
          <span className="font-medium">
            {name}
            <span className="sr-only">: {stateWords}</span>
          </span>
          <span className="min-w-0 break-words max-lg:col-start-2">
            <span className={state === 'skipped' ? 'text-text-3' : 'text-text'}>{say(found)}</span>
            {cure !== '' && <span className="text-text-2 block">{say(cure)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
