'use client';

import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import { Tag } from '@/components/ui/parts';
import type { LockChange } from '@/lib/vocabulary/build-lock';

interface LockTableProps {
  /** What the two sides are called. */
  from: string;
  to: string;
  lines: LockChange[];
  /** Of the whole build, before the packages. */
  facts?: { name: string; from: ReactNode; to: ReactNode }[];
  /** Whether both sides say the same. */
  isSame?: boolean;
}

const CELL = 'border-t border-l border-line px-3 py-1.5 align-top first:border-l-0';

/** What two builds have, line by line, under the environment that it is of. */
export function LockTable({ from, to, lines, facts = [], isSame = false }: LockTableProps) {
  const t = useTranslations('pages.images.builds');
  const environments = [...new Set(lines.map(({ environment }) => environment))];
  return (
    <div
      className="border-line-strong max-h-[50vh] overflow-auto rounded-md border"
      tabIndex={0}
      role="region"
      aria-label={t('table')}
    >
      <table className="text-table w-full table-fixed border-collapse max-sm:min-w-[420px]">
        <thead>
          <tr className="bg-sunken text-small text-text-3 text-left">
            <th className="px-3 py-[5px] font-medium">{t('name')}</th>
            <th className="border-line w-[30%] border-l px-3 py-[5px] font-medium">{from}</th>
            <th className="border-line w-[30%] border-l px-3 py-[5px] font-medium">{to}</th>
          </tr>
        </thead>
        <tbody>
          {facts.map((fact) => (
            <tr key={fact.name}>
              <th scope="row" className={`${CELL} text-left font-normal`}>
                {fact.name}
              </th>
              <td className={CELL}>{fact.from}</td>
              <td className={CELL}>{fact.to}</td>
            </tr>
          ))}
          {environments.map((environment) => (
            <Fragment key={environment}>
              {environment !== '' && (
                <tr>
                  <th
                    colSpan={3}
                    scope="rowgroup"
                    className="border-line bg-sunken text-small text-text-2 border-t px-3 py-1 text-left font-medium"
                  >
                    {t('environment', { name: environment })}
                  </th>
                </tr>
              )}
              {lines
                .filter((line) => line.environment === environment)
                .map((line) => (
                  <Line key={`${line.kind} ${line.name}`} line={line} isSame={isSame} />
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ line: { kind, name, from, to }, isSame }: { line: LockChange; isSame: boolean }) {
  const t = useTranslations('pages.images.builds');
  return (
    <tr>
      <th scope="row" className={`${CELL} text-left font-medium`}>
        <span className="inline-flex max-w-full items-center gap-2">
          <span className="break-words">{name}</span>
          {kind !== 'python' && <Tag>{t(`kinds.${kind}`)}</Tag>}
        </span>
      </th>
      <td className={`${CELL} mono break-words`}>
        {from === '' ? <span className="text-text-3">–</span> : isSame ? from : <Mark isGone text={from} />}
      </td>
      <td className={`${CELL} mono break-words`}>
        {to === '' ? <span className="text-text-3">–</span> : isSame ? to : <Mark text={to} />}
      </td>
    </tr>
  );
}

function Mark({ text, isGone }: { text: string; isGone?: boolean }) {
  const look = 'rounded-[4px] box-decoration-clone px-[5px] py-px no-underline';
  if (isGone) return <del className={`${look} bg-bad-soft text-bad-text`}>{text}</del>;
  return <ins className={`${look} bg-ok-soft text-ok-text`}>{text}</ins>;
}
