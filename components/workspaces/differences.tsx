'use client';

import { useTranslations } from 'next-intl';
import { type SettingChange, useChangeWords } from './change-words';

/** Settings on two sides, field by field. */
export function Differences({ changes, from, to }: { changes: SettingChange[]; from: string; to: string }) {
  const t = useTranslations('pages.workspaces.changed');
  const words = useChangeWords(changes);
  const cell = 'border-t border-l border-line px-3 py-2 align-top first:border-l-0';
  return (
    <div className="border-line-strong overflow-x-auto rounded-md border">
      <table className="text-table w-full table-fixed border-collapse max-sm:min-w-[460px]">
        <thead>
          <tr className="bg-sunken text-small text-text-3 text-left">
            <th className="w-[170px] px-3 py-[5px] font-medium max-sm:w-[120px]">{t('setting')}</th>
            <th className="border-line border-l px-3 py-[5px] font-medium">{from}</th>
            <th className="border-line border-l px-3 py-[5px] font-medium">{to}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.field}>
              <th scope="row" className={`${cell} text-left font-medium first-letter:uppercase`}>
                {words.field(change.field)}
              </th>
              <td className={cell}>
                <del className="bg-bad-soft text-bad-text rounded-[4px] box-decoration-clone px-[5px] py-px break-words whitespace-pre-wrap no-underline">
                  {words.value(change.field, change.from, change.to)}
                </del>
              </td>
              <td className={cell}>
                <ins className="bg-ok-soft text-ok-text rounded-[4px] box-decoration-clone px-[5px] py-px break-words whitespace-pre-wrap no-underline">
                  {words.value(change.field, change.to, change.from)}
                </ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
