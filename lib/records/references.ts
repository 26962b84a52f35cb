import { limits } from '@/lib/vocabulary/limits';
import { relation } from './fields/relation';
import { text } from './fields/text';

/** Fields that several collections share. */
export const nameField = () => text({ required: true, max: limits.nameLength });
export const descriptionField = () => text({ max: limits.descriptionLength });
/** Who made the record: set from the actor, moved when that user is deleted. */
export const createdByField = () => relation('users', { serverWritten: true });
/** Recommendations that were applied to the record, or put aside for it. */
export const recommendationsField = () => relation('recommendations', { max: limits.recommendationsPerRecord });
