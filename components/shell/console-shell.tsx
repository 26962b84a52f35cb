'use client';

import * as DialogPrimitive from '@radix-ui/react-dialog';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { PageNameProvider } from '@/components/data/page-name';
import { QueryProvider } from '@/components/data/query-provider';
import { SessionProvider } from '@/components/data/session-provider';
import type { Viewer } from '@/components/data/types';
import { Shortcuts } from './shortcuts';
import { SidebarBody } from './sidebar';
import { TopBar } from './top-bar';

/** Sidebar, top bar and page. Under 1024 px the sidebar is a drawer. */
export function ConsoleShell({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  const t = useTranslations('layout');
  const pathname = usePathname();
  const [drawerAt, setDrawerAt] = useState<string>();
  const isDrawerOpen = drawerAt === pathname;
  return (
    <QueryProvider>
      <SessionProvider viewer={viewer}>
        <PageNameProvider>
          <a
            href="#main"
            className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-raised px-3 py-2 text-table font-medium shadow-popover focus:translate-y-0"
          >
            {t('skip')}
          </a>
          <div className="grid h-dvh grid-cols-[18rem_minmax(0,1fr)] overflow-hidden max-lg:grid-cols-1 collapsed:grid-cols-[70px_minmax(0,1fr)]">
            <div className="flex min-h-0 flex-col border-r border-line bg-canvas max-lg:hidden">
              <SidebarBody viewer={viewer} />
            </div>
            <DialogPrimitive.Root open={isDrawerOpen} onOpenChange={(isOpen) => setDrawerAt(isOpen ? pathname : undefined)}>
              <DialogPrimitive.Portal>
                <DialogPrimitive.Overlay className="fixed inset-0 z-30 animate-appear bg-scrim lg:hidden" />
                <DialogPrimitive.Content
                  id="drawer"
                  aria-describedby={undefined}
                  className="fixed inset-y-0 left-0 z-30 flex w-72 animate-slide flex-col border-r border-line-strong bg-surface shadow-dialog lg:hidden"
                >
                  <DialogPrimitive.Title className="sr-only">{t('menu')}</DialogPrimitive.Title>
                  <SidebarBody viewer={viewer} onClose={() => setDrawerAt(undefined)} />
                </DialogPrimitive.Content>
              </DialogPrimitive.Portal>
            </DialogPrimitive.Root>
            <div className="relative flex min-h-0 min-w-0 flex-col bg-surface">
              <TopBar isDrawerOpen={isDrawerOpen} onOpenDrawer={() => setDrawerAt(pathname)} />
              <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
                {children}
              </main>
            </div>
          </div>
          <Shortcuts />
        </PageNameProvider>
      </SessionProvider>
    </QueryProvider>
  );
}
