'use client';

import { CircleCheck, Minus, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useFormats } from '@/components/records/use-formats';
import { CopyButton } from '@/components/ui/copy-button';
import { Notice } from '@/components/ui/notice';
import { nvidiaCommands, NVIDIA_REPOSITORY, isVersion } from './nvidia-commands';
import type { NvidiaValues } from './proxy-schema';
import { QuestionSection } from './question-section';

interface Found {
  driverVersion: string;
  cards: { model: string; memoryBytes: number }[];
  seenCards: number | null;
  toolkitVersion: string;
  given: 'runtime' | 'cdi' | 'none' | 'unknown';
  isContained: boolean;
  problem: string;
}

type Wanted = NvidiaValues['nvidia_driver'];

/** What the host has of what is wanted, looked at when asked, and how the rest gets there. */
export function NvidiaFound({ hostId, wanted }: { hostId: string; wanted: Wanted }) {
  const t = useTranslations('pages.hosts.nvidia.found');
  return (
    <QuestionSection<Found>
      id="nvidia-found"
      hostId={hostId}
      question="nvidia"
      words={{ title: t('title'), text: t('text'), look: t('look'), again: t('again') }}
      show={(found) => <Answer found={found} wanted={wanted} />}
    >
      <Commands wanted={wanted} />
    </QuestionSection>
  );
}

function Answer({ found, wanted }: { found: Found; wanted: Wanted }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.nvidia.found');
  const { driverVersion, toolkitVersion, cards, seenCards, given, isContained, problem } = found;
  const missing = t(isContained ? 'unseen' : 'missing');
  const versions = [
    { name: t('driver'), found: driverVersion, wanted: wanted.isAdded ? wanted.driverVersion : '' },
    { name: t('toolkit'), found: toolkitVersion, wanted: wanted.isAdded ? wanted.toolkitVersion : '' },
  ];
  const listed = cards.map(({ model, memoryBytes }) => `${model}, ${bytes(memoryBytes)}`).join('; ');
  return (
    <>
      {problem !== '' && (
        <Notice tone="warn" icon={<TriangleAlert />}>
          {problem}
        </Notice>
      )}
      <ul aria-label={t('title')} className="divide-line border-line text-table divide-y rounded-md border">
        {versions.map((each) => (
          <Row
            key={each.name}
            name={each.name}
            isGood={each.found !== '' && (each.wanted === '' || isVersion(each.found, each.wanted))}
            isAsked={each.wanted !== '' || each.found !== ''}
          >
            {each.found || missing}
            {each.wanted !== '' && !isVersion(each.found, each.wanted) && (
              <span className="text-text-2 block">{t('wanted', { version: each.wanted })}</span>
            )}
          </Row>
        ))}
        <Row name={t('cards')} isGood={cards.length > 0} isAsked={cards.length > 0 || (seenCards ?? 0) > 0}>
          {listed || (seenCards === null ? t('unseen') : t('bare', { count: seenCards }))}
        </Row>
        <Row name={t('given')} isGood={given === 'runtime' || given === 'cdi'} isAsked={cards.length > 0}>
          {t(`ways.${given}`)}
        </Row>
      </ul>
    </>
  );
}

interface RowProps {
  name: string;
  isGood: boolean;
  /** Whether anything is wrong where it is not good. */
  isAsked: boolean;
  children: React.ReactNode;
}

function Row({ name, isGood, isAsked, children }: RowProps) {
  const t = useTranslations('pages.hosts.nvidia.found');
  const state = isGood ? 'fine' : isAsked ? 'amiss' : 'nothing';
  const marks = {
    fine: <CircleCheck className="text-ok-text size-4" aria-hidden="true" />,
    amiss: <TriangleAlert className="text-warn-text size-4" aria-hidden="true" />,
    nothing: <Minus className="text-text-3 size-4" aria-hidden="true" />,
  };
  return (
    <li className="grid grid-cols-[16px_140px_minmax(0,1fr)] gap-x-2.5 px-3.5 py-2 max-sm:grid-cols-[16px_minmax(0,1fr)]">
      <span className="pt-0.5">{marks[state]}</span>
      <span className="font-medium">
        {name}
        <span className="sr-only">: {t(`states.${state}`)}</span>
      </span>
      <span className="min-w-0 break-words max-sm:col-start-2">{children}</span>
    </li>
  );
}

/** Berth installs no driver by itself: that restarts the machine. */
function Commands({ wanted }: { wanted: Wanted }) {
  const t = useTranslations('pages.hosts.nvidia.found');
  const commands = nvidiaCommands(wanted);
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-table font-medium">{t('commands')}</h3>
        <CopyButton text={commands} label={t('copy')} copiedLabel={t('copied')} isIcon />
      </div>
      <p className="text-table text-text-2">{t('commandsText')}</p>
      <pre
        tabIndex={0}
        role="region"
        aria-label={t('commands')}
        className="border-line bg-sunken text-small overflow-auto rounded-md border px-3 py-2 font-mono"
      >
        {commands}
      </pre>
      <p className="text-small text-text-3 break-words">{t('repository', { address: NVIDIA_REPOSITORY })}</p>
    </div>
  );
}
