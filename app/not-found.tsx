import { NotFoundState } from '@/components/records/not-found-state';

export default function NotFound() {
  return (
    <main className="grid min-h-dvh">
      <NotFoundState />
    </main>
  );
}
