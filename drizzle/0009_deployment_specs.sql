CREATE TABLE `deployment_specs` (
	`deployment` text PRIMARY KEY NOT NULL,
	`spec` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`deployment`) REFERENCES `deployments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `deployments` ADD `deploy_order` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `deployments` ADD `pull` integer DEFAULT false NOT NULL;