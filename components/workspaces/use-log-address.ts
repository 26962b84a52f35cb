'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { readLogAddress, writeLogAddress, type LogAddress } from './log-address';

/** What the address said when the page opened, what it says now, and a way to change that. */
export function useLogAddress(): {
  begin: LogAddress;
  address: LogAddress;
  change: (part: Partial<LogAddress>) => void;
} {
  const params = useSearchParams();
  const [begin] = useState(() => readLogAddress(new URLSearchParams(params)));
  const [address, setAddress] = useState(begin);
  const written = writeLogAddress(address);

  useEffect(() => {
    const { pathname, search } = window.location;
    if (search.slice(1) !== written)
      window.history.replaceState(null, '', written ? `${pathname}?${written}` : pathname);
  }, [written]);
  return { begin, address, change: (part) => setAddress((old) => ({ ...old, ...part })) };
}
