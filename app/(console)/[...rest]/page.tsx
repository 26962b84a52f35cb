import { notFound } from 'next/navigation';

/** Every unknown address, so that the not-found page keeps the console around it. */
export default function UnknownPage() {
  notFound();
}
