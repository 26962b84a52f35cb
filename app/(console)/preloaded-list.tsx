import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Preloaded, type Answer } from '@/components/records/preloaded';
import { listParamsOf, parseListState, type ListQuestion } from '@/components/records/list-address';
import { getViewer } from '@/lib/auth/viewer';
import { listReader } from '@/lib/http/api-lane';
import { log } from '@/lib/log';

const PAGING = ['page', 'perPage'];

type Searched = Record<string, string | string[] | undefined>;

export interface ListPageProps {
  searchParams: Promise<Searched>;
}

interface PreloadedListProps extends ListPageProps {
  question: ListQuestion;
  children: ReactNode;
}

/** Sends a list page's first list along with the page. One that is searched, filtered or sorted, or reached by a link, asks by itself. */
export async function PreloadedList({ question, searchParams, children }: PreloadedListProps) {
  const isDocument = (await headers()).get('accept')?.includes('text/html');
  const answer = isDocument ? await readAnswer(question, await searchParams) : undefined;
  return answer ? <Preloaded answer={answer}>{children}</Preloaded> : children;
}

async function readAnswer(question: ListQuestion, searched: Searched): Promise<Answer | undefined> {
  const viewer = await getViewer();
  const readList = listReader();
  if (!viewer || !readList || Object.keys(searched).some((key) => !PAGING.includes(key))) return undefined;
  const given = new URLSearchParams(Object.entries(searched).map(([key, value]) => [key, String(value)]));
  const params = listParamsOf(question, parseListState(given, { filterKeys: [], sortKeys: [] }));
  const { collection } = question;
  try {
    const data = await readList(viewer.id, { collection, ...params });
    return { collection, params, data };
  } catch (error) {
    log.debug({ err: error, collection }, 'a list was not sent along with its page');
    return undefined;
  }
}
