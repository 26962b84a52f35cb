'use client';

import { useEffect, useRef } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useRecordIfAny } from '@/components/data/records';
import type { ImageRecord } from '@/components/data/types';
import type { WorkspaceValues } from './workspace-schema';

type Ports = WorkspaceValues['portMappings'];

/** The ports that an image says it listens on, with host ports left open. */
export function proposedPorts(image: Pick<ImageRecord, 'exposedPorts'>): Ports {
  return (image.exposedPorts ?? []).map(({ containerPort, protocol }) => ({
    containerPort: String(containerPort),
    protocol,
    hostPort: '',
    hostIp: '',
  }));
}

/**
 * Fills in what follows from the picked image: the host that it lies on, its ports, and with the image that the address
 * names a name. What was typed stays, and so does what the form was filled with (`isFilled`).
 */
export function useImagePreset(form: UseFormReturn<WorkspaceValues>, namedImageId: string, isFilled = false): void {
  const imageId = useWatch({ control: form.control, name: 'image' });
  const image = useRecordIfAny('images', imageId, 'build_on');
  const filled = useRef({ imageId: '', ports: '[]' });
  useEffect(() => {
    if (!image || filled.current.imageId === image.id) return;
    if (isFilled && filled.current.imageId === '') {
      // What it was filled with says it all; another image is a new choice.
      filled.current = { imageId: image.id, ports: JSON.stringify(proposedPorts(image)) };
      return;
    }
    if (!form.getValues('host')) form.resetField('host', { defaultValue: image.build_on });
    if (image.id === namedImageId && !form.getValues('name')) form.resetField('name', { defaultValue: image.name });
    const ports = proposedPorts(image);
    // Ports that an image had proposed go with it.
    if (JSON.stringify(form.getValues('portMappings')) === filled.current.ports) form.setValue('portMappings', ports);
    filled.current = { imageId: image.id, ports: JSON.stringify(ports) };
  }, [form, image, namedImageId, isFilled]);
}
