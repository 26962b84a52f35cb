'use client';

import { useTranslations } from 'next-intl';
import type { ImageEnvironment } from '@/lib/vocabulary/image';
import type { ReadFile } from './use-read-lists';

/** What of a file is taken, and each line that is not, with the reason. */
export function ImportPreview({ read, name }: { read: ReadFile; name: string }) {
  const t = useTranslations('pages.images.carry');
  const { baseImage, startupCommands, leftOut, leftOutCount } = read;
  const environments = read.environments.filter(({ packages }) => packages.length > 0);
  const isNone = environments.length === 0 && baseImage === '' && startupCommands.length === 0;
  return (
    <div className="grid gap-3.5" aria-live="polite">
      <section aria-label={t('taken')}>
        <h3 className="text-table mb-1.5 leading-4 font-medium">{t('taken')}</h3>
        {isNone ? (
          <p className="text-table text-text-2">{t('nothing')}</p>
        ) : (
          <dl
            tabIndex={0}
            className="border-line bg-sunken text-table grid max-h-48 gap-2 overflow-auto rounded-md border px-3 py-2"
          >
            {baseImage !== '' && <Part label={t('base')} text={baseImage} />}
            {environments.map((each) => (
              <Part key={each.name} label={each.name || name} text={packagesOf(each)} />
            ))}
            {startupCommands.map(({ command }) => (
              <Part key={command} label={t('startup')} text={command} />
            ))}
          </dl>
        )}
      </section>
      {leftOutCount > 0 && (
        <section aria-label={t('leftOut')}>
          <h3 className="text-table mb-1.5 leading-4 font-medium">{t('leftOutCount', { count: leftOutCount })}</h3>
          <ul
            tabIndex={0}
            className="border-warn-line divide-warn-line text-table max-h-48 divide-y overflow-auto rounded-md border"
          >
            {leftOut.map(({ line, text, reason }, index) => (
              <li key={index} className="px-3 py-1.5">
                <span className="flex gap-2">
                  <span className="text-text-2 shrink-0">{t('line', { line })}</span>
                  <span className="mono min-w-0 break-words">{text}</span>
                </span>
                <span className="text-small text-text-2 block">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Part({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt className="text-small text-text-2">{label}</dt>
      <dd className="mono break-words">{text}</dd>
    </div>
  );
}

const SIGNS = {
  exactly: '==',
  minimum: '>=',
  maximum: '<=',
  exclude: '!=',
  compatible: '~=',
  unconstrained: '',
  custom: ' ',
};

function packagesOf({ packages }: ImageEnvironment): string {
  return packages
    .map(({ channel, name, version }) => {
      return `${channel ? `${channel}::` : ''}${name}${SIGNS[version.constraint]}${version.specifier}`;
    })
    .join(', ');
}
