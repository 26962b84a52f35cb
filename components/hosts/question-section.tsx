'use client';

import { Search, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuestion } from '@/components/data/use-question';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/parts';

interface QuestionSectionProps<Answer> {
  id: string;
  hostId: string;
  question: string;
  words: { title: string; text: string; look: string; again: string };
  /** Draws the last answer; `problem` says why there is no newer one, empty where there is. */
  show: (answer: Answer, problem: string) => ReactNode;
  /** Shown below, asked or not. */
  children?: ReactNode;
}

/** The last part of a form: what the host's agent answers once it is asked. */
export function QuestionSection<Answer>({ id, hostId, question, words, ...rest }: QuestionSectionProps<Answer>) {
  const { answer, problem, isAsking, ask } = useQuestion<Answer>(`/api/host/${hostId}/${question}`);
  return (
    <FormSection
      id={id}
      title={words.title}
      isLast
      aside={
        <Button size="sm" variant="ghost" isBusy={isAsking} onClick={ask}>
          <Search className="size-4" aria-hidden="true" />
          {answer ? words.again : words.look}
        </Button>
      }
    >
      <div aria-live="polite" aria-busy={isAsking} className="grid gap-3.5">
        {!answer && !isAsking && problem === '' && <p className="text-table text-text-2">{words.text}</p>}
        {!answer && isAsking && <Skeleton className="h-24" />}
        {problem !== '' && (
          <Notice tone="bad" icon={<TriangleAlert />}>
            {problem}
          </Notice>
        )}
        {answer && rest.show(answer, problem)}
      </div>
      {rest.children}
    </FormSection>
  );
}
