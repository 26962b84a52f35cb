import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { readTerminalParams, type TerminalSearch } from '@/components/workspaces/terminal/terminal-params';
import { WorkspaceTerminal } from '@/components/workspaces/terminal/workspace-terminal';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.terminal');
  return { title: t('exec') };
}

interface Props {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<TerminalSearch>;
}

export default async function WorkspaceExecPage({ params, searchParams }: Props) {
  const { workspaceId } = await params;
  return (
    <PageMessages areas={['workspaces', 'terminal']}>
      <WorkspaceTerminal workspaceId={workspaceId} kind="exec" params={readTerminalParams(await searchParams)} />
    </PageMessages>
  );
}
