export const transcript = {} as const;
