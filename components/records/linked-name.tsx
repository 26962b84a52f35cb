'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { IconTile } from '@/components/ui/parts';

interface LinkedNameProps {
  icon: ReactNode;
  name: string;
  href: string;
  /** After the name. */
  children?: ReactNode;
}

/** The mark and the name of a row, which leads to its page. */
export function LinkedName({ icon, name, href, children }: LinkedNameProps) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <IconTile>{icon}</IconTile>
      <Link href={href} data-key-open="" className="text-text truncate rounded-sm font-medium hover:underline">
        {name}
      </Link>
      {children}
    </span>
  );
}
