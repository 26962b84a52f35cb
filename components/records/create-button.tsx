'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import type { May } from './use-may-create';

interface CreateButtonProps {
  may: May;
  href: string;
  label: string;
}

/** The way to make something, at the head of a list. Its place is kept while nobody knows whether it is offered. */
export function CreateButton({ may, href, label }: CreateButtonProps) {
  if (may === false) return null;
  return (
    <Button asChild className={may ? undefined : 'invisible'}>
      <Link href={href} {...(may && { 'data-key-create': '' })}>
        <Plus className="size-4" aria-hidden="true" />
        {label}
        <Kbd>C</Kbd>
      </Link>
    </Button>
  );
}
