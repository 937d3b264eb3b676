-- Push subscriptions of a session: a small sealed text that ends with it (domain/push-subscription.ts).
ALTER TABLE mayfly.sessions ADD COLUMN pushes text;
