'use client';

import { Trash2 } from 'lucide-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { DetailHead } from './detail-head';
import { useTab } from './use-tab';

export interface DetailTab {
  value: string;
  label: ReactNode;
  panel: (go: (tab: string) => void) => ReactNode;
  /** Left out where it is false. */
  shownIf?: boolean | undefined;
  look?: keyof typeof looks;
  /** Set apart at the right end. */
  isTail?: boolean;
}

const looks = {
  /** With the margins of text. */
  page: 'flex min-h-0 flex-1 flex-col overflow-auto px-6 py-3.5 max-lg:px-4',
  /** From edge to edge. */
  wide: 'overflow-auto pt-2',
  /** Scrolls by itself. */
  fill: 'flex min-h-0 flex-1 flex-col',
  /** Stays once it was shown, so that what was typed is not lost. */
  form: 'flex min-h-0 flex-1 flex-col pt-3',
};

interface RecordDetailProps extends Omit<ComponentProps<typeof DetailHead>, 'actions'> {
  /** The name of the tabs, where it is not the record's. */
  label?: string;
  actions?: (go: (tab: string) => void) => ReactNode;
  /** Between the tabs and what they show. */
  notices?: ReactNode;
  tabs: DetailTab[];
}

/** The page of one record: its head, and tabs that the address names. */
export function RecordDetail({ label, actions, notices, tabs, ...head }: RecordDetailProps) {
  const shown = tabs.filter((tab) => tab.shownIf !== false);
  const [current, go] = useTab(shown.map((tab) => tab.value));
  const [visited, setVisited] = useState([current]);
  if (!visited.includes(current)) setVisited([...visited, current]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DetailHead {...head} actions={actions?.(go)} />
      <Tabs
        className="flex min-h-0 flex-1 flex-col"
        label={label ?? head.name}
        value={current}
        onValueChange={go}
        tabs={shown}
      >
        {notices}
        {shown.map(({ value, look = 'page', panel }) => (
          <TabPanel
            key={value}
            value={value}
            isKept={look === 'form' && visited.includes(value)}
            className={looks[look]}
          >
            {panel(go)}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

interface DeletePanelProps {
  title: string;
  text: string;
  button: string;
  onDelete: () => void;
}

/** The tab that ends a record: what that means, and the way to the question. */
export function DeletePanel({ title, text, button, onDelete }: DeletePanelProps) {
  return (
    <div className="max-w-[660px]">
      <h2 className="font-semibold">{title}</h2>
      <p className="text-table text-text-2 mt-1 mb-3">{text}</p>
      <Button variant="danger" onClick={onDelete}>
        <Trash2 className="size-4" />
        {button}
      </Button>
    </div>
  );
}
