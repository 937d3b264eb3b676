// The domain of a service whose operator named none.

/**
 * The domain of a first start when the operator named none. Strangers cannot send mail to it (RFC 6761 §6.2), so its
 * addresses are free again when their sessions end.
 */
export const demoDomain = 'mayfly.test';
