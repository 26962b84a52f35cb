'use client';

import * as DialogPrimitive from '@radix-ui/react-dialog';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState, type ReactNode } from 'react';
import { LeavingProvider } from '@/components/data/leaving';
import { PageNameProvider } from '@/components/data/page-name';
import { QueryProvider } from '@/components/data/query-provider';
import { SessionProvider } from '@/components/data/session-provider';
import type { Viewer } from '@/components/data/types';
import { AwayBar } from './away-bar';
import { Shortcuts, type Overlay } from './shortcuts';
import { SidebarBody } from './sidebar';
import { TopBar } from './top-bar';

const Palette = dynamic(() => import('./palette/palette').then((module) => module.Palette), { ssr: false });
/** The palette and the pickers come once the page stands, so that what is typed into them first is not lost. */
const AFTER_MS = 400;

/** Sidebar, top bar and page. Under 1024 px the sidebar is a drawer. */
export function ConsoleShell({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  const t = useTranslations('layout');
  const pathname = usePathname();
  const [drawerAt, setDrawerAt] = useState<string>();
  const [overlay, setOverlay] = useState<Overlay>();
  const [isPaletteLoaded, setPaletteLoaded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setPaletteLoaded(true);
      void import('@/components/ui/picker-list');
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const isDrawerOpen = drawerAt === pathname;
  return (
    <QueryProvider>
      <SessionProvider viewer={viewer}>
        <LeavingProvider>
          <PageNameProvider>
            <a
              href="#main"
              className="bg-raised text-table shadow-popover fixed top-2 left-2 z-50 -translate-y-20 rounded-md px-3 py-2 font-medium focus:translate-y-0"
            >
              {t('skip')}
            </a>
            <div className="collapsed:grid-cols-[70px_minmax(0,1fr)] grid h-dvh grid-cols-[18rem_minmax(0,1fr)] overflow-hidden max-lg:grid-cols-1">
              <aside
                aria-label={t('menu')}
                className="border-line bg-canvas flex min-h-0 flex-col border-r max-lg:hidden"
              >
                <SidebarBody viewer={viewer} />
              </aside>
              <DialogPrimitive.Root
                open={isDrawerOpen}
                onOpenChange={(isOpen) => setDrawerAt(isOpen ? pathname : undefined)}
              >
                <DialogPrimitive.Portal>
                  <DialogPrimitive.Overlay className="animate-appear bg-scrim fixed inset-0 z-30 lg:hidden" />
                  <DialogPrimitive.Content
                    id="drawer"
                    aria-describedby={undefined}
                    className="animate-slide border-line-strong bg-surface shadow-dialog fixed inset-y-0 left-0 z-30 flex w-72 flex-col border-r lg:hidden"
                  >
                    <DialogPrimitive.Title className="sr-only">{t('menu')}</DialogPrimitive.Title>
                    <SidebarBody viewer={viewer} onClose={() => setDrawerAt(undefined)} />
                  </DialogPrimitive.Content>
                </DialogPrimitive.Portal>
              </DialogPrimitive.Root>
              <div className="bg-surface relative flex min-h-0 min-w-0 flex-col">
                <TopBar
                  isDrawerOpen={isDrawerOpen}
                  onOpenDrawer={() => setDrawerAt(pathname)}
                  onOpenPalette={() => setOverlay('palette')}
                />
                <AwayBar />
                <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
                  {children}
                </main>
              </div>
            </div>
            <Shortcuts overlay={overlay} onOverlay={setOverlay} />
            {(isPaletteLoaded || overlay === 'palette') && (
              <Palette
                isOpen={overlay === 'palette'}
                onOpenChange={(isOpen) => setOverlay(isOpen ? 'palette' : undefined)}
                onHelp={() => setOverlay('help')}
              />
            )}
          </PageNameProvider>
        </LeavingProvider>
      </SessionProvider>
    </QueryProvider>
  );
}
