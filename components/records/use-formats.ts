import { useFormatter, useTranslations } from 'next-intl';
import { bytesIn, spanIn } from './format';

/** Sizes and spans of time in the words of the page's language. */
export function useFormats(): { bytes: (bytes: number) => string; span: (ms: number) => string } {
  const format = useFormatter();
  const t = useTranslations('common.age');
  return {
    bytes(bytes) {
      const { count, unit } = bytesIn(bytes);
      return `${format.number(count, { maximumFractionDigits: 1, useGrouping: false })} ${unit}`;
    },
    span: (ms) =>
      spanIn(ms)
        .map(({ count, unit }) => t(unit, { count }))
        .join(' '),
  };
}
