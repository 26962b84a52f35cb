import { NotFoundState } from '@/components/records/not-found-state';

export default function NotFound() {
  return <NotFoundState />;
}
