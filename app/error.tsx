'use client';

import { ErrorState, type ErrorStateProps } from '@/components/shell/error-state';

export default function RootError(props: ErrorStateProps) {
  return (
    <main className="grid min-h-dvh">
      <ErrorState {...props} />
    </main>
  );
}
