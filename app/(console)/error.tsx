'use client';

import { ErrorState, type ErrorStateProps } from '@/components/shell/error-state';

export default function ConsoleError(props: ErrorStateProps) {
  return <ErrorState {...props} />;
}
