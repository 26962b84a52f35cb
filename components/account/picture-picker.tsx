'use client';

import { Camera } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useId, useState } from 'react';
import { FieldError } from '@/components/ui/field';
import { limits } from '@/lib/domain/limits';
import { IMAGE_TYPES } from './password-rules';

interface PicturePickerProps {
  picture: File | undefined;
  onPick: (picture: File | undefined) => void;
}

/** A picture of the user, looked at before it is sent. */
export function PicturePicker({ picture, onPick }: PicturePickerProps) {
  const t = useTranslations('common.picture');
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [preview, setPreview] = useState<string>();
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);

  function take(file: File | undefined) {
    if (!file) return;
    const reason = !IMAGE_TYPES.includes(file.type) ? t('wrongType') : file.size > limits.uploadBytes ? t('tooLarge') : undefined;
    setProblem(reason);
    onPick(reason ? undefined : file);
    setPreview(reason ? undefined : URL.createObjectURL(file));
  }

  return (
    <div className="flex items-center gap-3">
      <span
        aria-hidden="true"
        className="grid size-[52px] shrink-0 place-items-center overflow-hidden rounded-full border border-dashed border-line-control text-text-3"
      >
        {picture && preview ? <img src={preview} alt="" className="size-full object-cover" /> : <Camera className="size-4" />}
      </span>
      <div className="min-w-0">
        <input
          id={id}
          type="file"
          accept={IMAGE_TYPES.join(',')}
          aria-describedby={`${id}-hint`}
          className="peer sr-only"
          onChange={(event) => take(event.target.files?.[0])}
        />
        <label
          htmlFor={id}
          className="inline-flex h-7 cursor-pointer items-center rounded-ctl border border-line-strong px-[9px] text-table font-medium shadow-control peer-focus-visible:shadow-(--focus-ring) hover:bg-sunken"
        >
          {t('choose')}
        </label>
        <div id={`${id}-hint`}>
          {problem ? <FieldError>{problem}</FieldError> : <p className="mt-1 text-small text-text-3">{t('hint')}</p>}
        </div>
      </div>
    </div>
  );
}
