import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { FilePlace } from './file-place';
import { shownName, waysTo } from './file-paths';

/** The folders on the way to where one is, each a link. */
export function FileCrumbs({ place, path }: { place: FilePlace; path: string }) {
  const t = useTranslations('pages.containerFiles');
  const ways = waysTo(path);
  return (
    <nav aria-label={t('where')} className="min-w-0">
      <ol className="text-table flex min-w-0 flex-wrap items-center gap-1">
        {ways.map((way, index) => (
          <li key={way.path} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight className="text-text-3 size-3.5 shrink-0" aria-hidden="true" />}
            <Link
              href={place.hrefOf(way.path)}
              prefetch={false}
              aria-current={index === ways.length - 1 ? 'page' : undefined}
              aria-label={index === 0 ? t(`root.${place.what}`) : undefined}
              className="mono text-text-2 aria-[current]:text-text min-w-6 truncate rounded-sm px-1 py-1 hover:underline aria-[current]:font-medium"
            >
              {shownName(way.name)}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
