CREATE TABLE `sign_in_sessions` (
	`sign_in_id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_sessions_expires` ON `sign_in_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `hosts` ADD `isolation` text;